// The verbs on prompts: what is in force, what a phase keeps, edits as new versions.
import { type Caller, callerName } from '#contract/caller.ts'
import { CoreError, HubError, type Lang } from '#contract/errors.ts'
import type { ProjectId } from '#contract/id-types.ts'
import { type Phase, PhaseError, PHASES, PromptEdited } from '#contract/phases.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db, Tx } from '#kernel/db/db.ts'
import type { EventLog } from '#kernel/events.ts'
import { DEFAULTS } from './defaults/defaults.ts'
import { parsePrompt } from './front-matter.ts'
import { type NewPrompt, type PhaseState, type Prompt, projectOf, projectSource, sha256 } from './model.ts'
import { type Fetching, PROMPT_BYTES, type RemotePrompts } from './remote.ts'
import type { Shelf } from './shelf.ts'
import { PromptStore } from './store.ts'

/** What the source said before the transaction; undefined when prompts are the hub's own. */
export type Offer = Fetching | { readonly error: HubError } | undefined

export const LANGUAGES = ['en', 'ja'] as const satisfies readonly Lang[]
/** Who wrote the prompts that come with the program. */
const SHIPPED = 'toryo'
const OWN = ''

export type Edit = {
  phase: Phase
  lang: Lang
  content: string
  /** The version that it was made from; undefined: whichever is in force. */
  base?: number | undefined
  /** For this project alone. */
  projectId?: ProjectId | undefined
}

type Deps = { db: Db; events: EventLog; clock: Clock; remote: RemotePrompts; shelf: Shelf }

export class Prompts {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  get isRemote(): boolean {
    return this.#deps.remote.source !== undefined
  }

  /** Asks the source, if there is one. A copy that was kept serves while it is down. Never inside a transaction. */
  async offer(phase: Phase, lang: Lang): Promise<Offer> {
    const { remote, db } = this.#deps
    const { source } = remote
    if (source === undefined) return undefined
    const copy = async (): Promise<Fetching | undefined> => {
      const prompt = await new PromptStore(db).newest({ source, phase, language: lang })
      return prompt && { prompt, cached: true, fetchedAt: prompt.at }
    }
    const rested = remote.isResting(phase, lang) ? await copy() : undefined
    if (rested) return rested
    try {
      return await remote.fetch(phase, lang)
    } catch (error) {
      if (!(error instanceof HubError)) throw error
      return (error.code === 'CLOUD_API_ERROR' ? await copy() : undefined) ?? { error }
    }
  }

  /** The same without what was fetched before: what the source says now, or why it says nothing. */
  async offerAnew(phase: Phase, lang: Lang): Promise<Offer> {
    const { remote } = this.#deps
    if (remote.source === undefined) return undefined
    try {
      return await remote.fetch(phase, lang, true)
    } catch (error) {
      if (!(error instanceof HubError)) throw error
      return { error }
    }
  }

  /** What a phase that starts now gets: the project's own, else what the source has, else the hub's. */
  async inForce(phase: Phase, lang: Lang, offer: Offer, projectId: ProjectId): Promise<Prompt | NewPrompt> {
    const particular = await this.ofProject(projectId, phase, lang)
    if (particular) return particular
    if (offer && 'error' in offer) throw offer.error
    return offer?.prompt ?? this.own(phase, lang)
  }

  /** The project's own, if it has one. */
  async ofProject(projectId: ProjectId, phase: Phase, lang: Lang): Promise<Prompt | undefined> {
    const shelf = { source: projectSource(projectId), phase, language: lang }
    return unlessReset(await new PromptStore(this.#deps.db).newest(shelf))
  }

  /** The hub's own: the newest edit, else the one that came with the program. */
  async own(phase: Phase, lang: Lang): Promise<Prompt | NewPrompt> {
    const newest = await new PromptStore(this.#deps.db).newest({ source: OWN, phase, language: lang })
    const content = DEFAULTS[lang][phase]
    const digest = sha256(content)
    // A newer program brings newer defaults; what people edited stays.
    if (newest && (newest.author !== SHIPPED || newest.sha256 === digest)) return newest
    const version = (newest?.version ?? 0) + 1
    const at = this.#deps.clock.now()
    return { source: OWN, phase, language: lang, version, content, sha256: digest, author: SHIPPED, at }
  }

  /** What a phase in progress goes on with. */
  async kept(state: PhaseState, lang: Lang): Promise<Prompt | undefined> {
    const { projectId, phase, promptsUpto } = state
    if (promptsUpto === null) return undefined
    const store = new PromptStore(this.#deps.db)
    const shelf = { source: projectSource(projectId), phase, language: lang }
    return unlessReset(await store.upTo(shelf, promptsUpto)) ?? store.kept(this.#shelfOf(phase, lang), promptsUpto)
  }

  /** The same from memory. */
  keptKnown(state: PhaseState, lang: Lang): Promise<Prompt | undefined> {
    const { source } = this.#shelfOf(state.phase, lang)
    const key = [source, state.projectId, state.phase, lang, state.promptsUpto].join(' ')
    return this.#deps.shelf.kept(key, () => this.kept(state, lang))
  }

  async isStored(prompt: Prompt | NewPrompt): Promise<boolean> {
    return 'number' in prompt || (await this.#stored(prompt)) !== undefined
  }

  async store(tx: Tx, prompt: Prompt | NewPrompt): Promise<Prompt> {
    if ('number' in prompt) return prompt
    return (await this.#stored(prompt)) ?? new PromptStore(tx).insert(prompt)
  }

  /** Up to where a phase that starts now knows prompts. */
  async mark(tx: Tx, phase: Phase): Promise<number> {
    if (!this.isRemote) for (const lang of LANGUAGES) await this.store(tx, await this.own(phase, lang))
    return new PromptStore(tx).last()
  }

  /** The same where no source could be asked: then the first prompt that it is given is the one it keeps. */
  markUnasked(tx: Tx, phase: Phase): Promise<number | null> {
    return this.isRemote ? Promise.resolve(null) : this.mark(tx, phase)
  }

  /** When it was fetched, as the answer shows it. */
  give(prompt: Prompt | NewPrompt, offer: Offer): { cached: boolean; fetchedAt: number } {
    if (prompt.source === OWN || projectOf(prompt.source) !== null) return this.#deps.shelf.give(prompt)
    const same = offer && 'prompt' in offer && offer.prompt.sha256 === prompt.sha256
    return same ? offer : { cached: true, fetchedAt: prompt.at }
  }

  list(lang: Lang, projectId?: ProjectId): Promise<(Prompt | NewPrompt)[]> {
    return Promise.all(PHASES.map(phase => this.show(phase, lang, undefined, projectId)))
  }

  /** What is in force, for the hub or in a project; or an earlier version of the hub's or the project's own. */
  async show(phase: Phase, lang: Lang, version?: number, projectId?: ProjectId): Promise<Prompt | NewPrompt> {
    const particular = projectId === undefined ? undefined : await this.ofProject(projectId, phase, lang)
    const current = particular ?? (await this.own(phase, lang))
    const source = sourceOf(projectId)
    if (version === undefined || (version === current.version && current.source === source)) return current
    const found = await new PromptStore(this.#deps.db).version({ source, phase, language: lang }, version)
    if (!found) throw PhaseError.PROMPT_NOT_FOUND({ phase, version })
    return found
  }

  /** The version that an edit goes on from; 0 where a project has had none of its own. */
  async base(phase: Phase, lang: Lang, projectId?: ProjectId): Promise<number> {
    if (projectId === undefined) return (await this.own(phase, lang)).version
    const shelf = { source: sourceOf(projectId), phase, language: lang }
    return (await new PromptStore(this.#deps.db).newest(shelf))?.version ?? 0
  }

  /** Newest first; what is in force leads, stored or not. Of a project: its own alone. */
  async history(
    phase: Phase,
    lang: Lang,
    below: number | undefined,
    limit: number,
    projectId?: ProjectId,
  ): Promise<(Prompt | NewPrompt)[]> {
    const shelf = { source: sourceOf(projectId), phase, language: lang }
    const older = await new PromptStore(this.#deps.db).history(shelf, below ?? Number.MAX_SAFE_INTEGER, limit)
    if (projectId !== undefined || below !== undefined) return older
    const current = await this.own(phase, lang)
    return 'number' in current ? older : [current, ...older].slice(0, limit)
  }

  edit(edit: Edit, by: Caller): Promise<Prompt> {
    const { phase, lang, content, base, projectId } = edit
    parsePrompt(content)
    if (Buffer.byteLength(content) > PROMPT_BYTES) throw CoreError.INVALID_ARGUMENT({ reason: TOO_LARGE })
    return this.#deps.db.tx(async tx => {
      const shelf = { source: sourceOf(projectId), phase, language: lang }
      const current =
        projectId === undefined
          ? await this.store(tx, await this.own(phase, lang))
          : await new PromptStore(tx).newest(shelf)
      const version = current?.version ?? 0
      if (base !== undefined && base !== version) throw PhaseError.PROMPT_CHANGED({ phase, version })
      return current?.content === content ? current : this.#add(tx, edit, version + 1, by)
    })
  }

  /** From now on the project has the hub's prompt again. Its versions stay. */
  reset(phase: Phase, lang: Lang, projectId: ProjectId, by: Caller): Promise<void> {
    return this.#deps.db.tx(async tx => {
      const current = await this.ofProject(projectId, phase, lang)
      if (current) await this.#add(tx, { phase, lang, content: '', projectId }, current.version + 1, by)
    })
  }

  async #add(tx: Tx, { phase, lang, content, projectId }: Edit, version: number, by: Caller): Promise<Prompt> {
    const digest = sha256(content)
    const prompt = await new PromptStore(tx).insert({
      source: sourceOf(projectId),
      phase,
      language: lang,
      version,
      content,
      sha256: digest,
      author: callerName(by),
      at: this.#deps.clock.now(),
    })
    const fact = { phase, language: lang, version, sha256: digest }
    await this.#deps.events.publish(tx, PromptEdited, fact, by, projectId)
    return prompt
  }

  #stored({ source, phase, language, version, sha256 }: NewPrompt): Promise<Prompt | undefined> {
    return new PromptStore(this.#deps.db).version({ source, phase, language }, version, sha256)
  }

  #shelfOf(phase: Phase, language: Lang) {
    return { source: this.#deps.remote.source ?? OWN, phase, language }
  }
}

function sourceOf(projectId: ProjectId | undefined): string {
  return projectId === undefined ? OWN : projectSource(projectId)
}

function unlessReset(prompt: Prompt | undefined): Prompt | undefined {
  return prompt?.content === '' ? undefined : prompt
}

const TOO_LARGE = {
  en: `A prompt is at most ${PROMPT_BYTES} bytes long.`,
  ja: `プロンプトは最大 ${PROMPT_BYTES} バイトです。`,
}
