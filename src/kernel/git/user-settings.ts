// What the user's own configuration says that changes which files git sees. Git is asked again only when one of the files that it reads
// says something else.
import { isAbsolute, join } from 'node:path'
import { readKnownFile } from './small-file.ts'

/** Nothing of it runs anything. */
export type UserSettings = {
  excludesFile: string | undefined
  autocrlf: string | undefined
  eol: string | undefined
  /** Repositories of other users that this one has declared safe; `*` means all. */
  safe: string[]
}

const WANTED = '^(core\\.(excludesfile|autocrlf|eol)|safe\\.directory)$'

/** Runs git with these arguments, and these variables in addition; answers the fields of its output, undefined when it failed. */
export type AskGit = (args: readonly string[], env: Record<string, string>) => Promise<string[] | undefined>

export class SettingsReader {
  readonly #env: NodeJS.ProcessEnv
  readonly #ask: AskGit
  #last: { files: string; fields: string[] } | undefined

  constructor(env: NodeJS.ProcessEnv, ask: AskGit) {
    this.#env = env
    this.#ask = ask
  }

  /** As they are now: people change them while the hub runs. */
  async read(): Promise<UserSettings> {
    const home = this.#env['HOME']
    const config = this.#env['XDG_CONFIG_HOME'] || (home && join(home, '.config'))
    const usual = config && join(config, 'git', 'ignore')
    if (home === undefined || !isAbsolute(home)) return settingsIn([], usual)
    return settingsIn(await this.#fields(home), usual)
  }

  async #fields(home: string): Promise<string[]> {
    const before = await this.#files(home)
    if (before !== undefined && before === this.#last?.files) return this.#last.fields
    const env = { HOME: home, ...pick(this.#env, 'XDG_CONFIG_HOME'), ...pick(this.#env, 'GIT_CONFIG_GLOBAL') }
    const fields = await this.#ask(
      ['config', '--global', '--includes', '--type=path', '-z', '--get-regexp', WANTED],
      env,
    )
    // Settings are a comfort: a file of the user's that git cannot read must not stop us. It may be able to the next time.
    if (!fields) return []
    // One that was changed while git read it would be remembered with the wrong answer.
    if (before !== undefined && before === (await this.#files(home))) this.#last = { files: before, fields }
    return fields
  }

  /** What the files say in which git looks. Undefined: only git knows, since one includes others or is not a small file. */
  async #files(home: string): Promise<string | undefined> {
    const { GIT_CONFIG_GLOBAL: named, XDG_CONFIG_HOME: config } = this.#env
    if (named === '') return undefined
    const usual = [join(home, '.gitconfig'), join(config || join(home, '.config'), 'git', 'config')]
    const texts = await Promise.all((named === undefined ? usual : [named]).map(readKnownFile))
    return texts.some(text => text === undefined || /include/i.test(text)) ? undefined : JSON.stringify(texts)
  }
}

function settingsIn(fields: readonly string[], usualExcludes: string | undefined): UserSettings {
  const found = new Map<string, string>()
  let safe: string[] = []
  for (const entry of fields) {
    const at = entry.indexOf('\n')
    const [name, value] = [entry.slice(0, at), entry.slice(at + 1)]
    // An empty one takes back those before it.
    if (name === 'safe.directory') safe = value === '' ? [] : [...safe, value]
    else if (at > 0) found.set(name, value)
  }
  return {
    excludesFile: found.get('core.excludesfile') ?? usualExcludes,
    autocrlf: found.get('core.autocrlf'),
    eol: found.get('core.eol'),
    safe,
  }
}

function pick(env: NodeJS.ProcessEnv, name: string): Record<string, string> {
  const value = env[name]
  return value === undefined ? {} : { [name]: value }
}
