// What an event is about and whose work it was, out of its payload and the names that came with it. Pure.
import type { EventNames, StoredEvent } from '#contract/events.ts'
import type { Lang, Text } from '#contract/errors.ts'
import type { Blocked, MergeNeeds } from '#contract/why.ts'
import { blockedText, needsText } from '#contract/why-text.ts'
import { machineOf } from '../../parts/machine-of.ts'

export const GROUPS = ['tasks', 'runs', 'tabs', 'memory', 'phases', 'projects', 'hub'] as const
export type Group = (typeof GROUPS)[number]

/** The first part of an event's type says what it is of. */
const PREFIXES: Readonly<Record<Group, readonly string[]>> = {
  tasks: [
    ...['task', 'note', 'handoff', 'workspace', 'snapshot', 'check', 'comment', 'review', 'verdict', 'merge', 'pull'],
    'overlap',
  ],
  runs: ['run', 'group', 'agent:', 'stage', 'plan', 'instance', 'engine'],
  tabs: ['tab', 'message', 'worktree'],
  memory: ['topic', 'entry', 'decision', 'memory'],
  phases: ['phase', 'prompt'],
  projects: ['project', 'agent.'],
  hub: ['runner', 'token', 'page', 'call', 'inbox'],
}

export function groupOf(type: string): Group {
  const prefix = type.split(/[.:]/)[0] ?? ''
  const exact = type.startsWith('agent') ? type.slice(0, 6) : prefix
  return GROUPS.find(group => PREFIXES[group].includes(exact)) ?? 'hub'
}

const BAD = /failed|refused|undeliverable|lost|conflict|error|timedOut|timed_out/
const SETTLED = /^(?:task\.verified|merge\.ended|run\.ended|check\.ended|verdict\.given|phase\.ended|plan\.ended)$/

/** How it stands out: only what ended badly or well does. */
export function toneOf({ type, payload }: StoredEvent): 'bad' | 'good' | 'plain' {
  const { outcome, result, to, why } = (payload ?? {}) as Record<string, unknown>
  // A run that ended with a question.
  if (result === 'blocked') return 'plain'
  if (BAD.test(type) || (typeof outcome === 'string' && BAD.test(outcome)) || why !== undefined) return 'bad'
  if (outcome === 'cancelled' || outcome === 'withdrawn') return 'plain'
  return SETTLED.test(type) || to === 'done' ? 'good' : 'plain'
}

export const NO_NAMES: EventNames = {
  ...{ tasks: {}, agents: {}, projects: {}, tabs: {}, runs: {}, topics: {}, decisions: {} },
}

export function mergeNames(all: readonly EventNames[]): EventNames {
  const merged = structuredClone(NO_NAMES)
  for (const names of all)
    for (const kind of Object.keys(merged) as (keyof EventNames)[]) Object.assign(merged[kind], names[kind])
  return merged
}

/** The fields of one event as words for its sentence: names instead of ids. */
export class Said {
  readonly #fields: Readonly<Record<string, unknown>>
  readonly #names: EventNames
  readonly #words: Readonly<Record<string, string>>
  readonly #quote: (title: string) => string

  /** `words`: what values such as `in_progress` are called. `quote`: how a title stands in a sentence. */
  constructor(
    { payload }: Pick<StoredEvent, 'payload'>,
    names: EventNames,
    words: Readonly<Record<string, string>> = {},
    quote: (title: string) => string = title => ` ${title}`,
  ) {
    this.#fields = (payload ?? {}) as Record<string, unknown>
    this.#names = names
    this.#words = words
    this.#quote = quote
  }

  /** A value of the hub's own, such as a status. */
  word(field: string): string {
    const value = this.text(field)
    return this.#words[value] ?? value.replaceAll('_', ' ')
  }

  /** A text or a number; empty when the event has none. */
  text(field: string): string {
    const value = this.#fields[field]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }

  has(field: string): boolean {
    const value = this.#fields[field]
    return value !== null && value !== undefined && value !== false && value !== ''
  }

  /** Why, as it was written, or else as its facts are said in this language. */
  because(lang: Lang): string {
    const { why, needs, refusal } = this.#fields as { why?: Blocked; needs?: MergeNeeds; refusal?: Text | null }
    if (why) return blockedText(why)[lang]
    if (needs) return needsText(needs)[lang]
    return refusal?.[lang] ?? (this.text('reason') || this.text('problem'))
  }

  list(field: string): string[] {
    const value = this.#fields[field]
    return Array.isArray(value) ? value.map(String) : []
  }

  task(field = 'taskId'): string {
    return this.#taskNamed(this.text(field))
  }

  agent(field = 'agentId'): string {
    return this.#names.agents[this.text(field)] ?? this.text(field)
  }

  project(): string {
    return this.#names.projects[this.text('projectId')] ?? this.text('projectId')
  }

  tab(): string {
    const tab = this.#names.tabs[this.text('tabId')]
    return tab ? `${tab.engine} · ${tab.branch}` : this.text('tabId')
  }

  /** The role of a crew's run; of a task's run, the task. */
  run(field = 'runId'): string {
    const run = this.#names.runs[this.text(field)]
    if (run) return run.role
    return this.has('role') ? this.text('role') : this.has('taskId') ? this.task() : this.text(field)
  }

  topic(): string {
    return this.#names.topics[this.text('topicId')] ?? `#${this.text('topicId')}`
  }

  decision(field = 'decisionId'): string {
    const text = this.#names.decisions[this.text(field)]
    return `#${this.text(field)}${text === undefined ? '' : this.#quote(text)}`
  }

  /** Both sides of an overlap. */
  sides(): [string, string] {
    const side = (field: string) => {
      const { taskId, tabId } = (this.#fields[field] ?? {}) as { taskId?: string | null; tabId?: string | null }
      if (taskId) return this.#taskNamed(taskId)
      const tab = this.#names.tabs[tabId ?? '']
      return tab ? `${tab.engine} · ${tab.branch}` : (tabId ?? '?')
    }
    return [side('a'), side('b')]
  }

  #taskNamed(id: string): string {
    const task = this.#names.tasks[id]
    return task ? `${task.handle}${this.#quote(task.title)}` : id
  }
}

/** Who did it, as a name; `kind` is the word for what it is. */
export type Who = {
  kind: string
  name: string | undefined
  /** Of the Runner that a hub brings along: its machine. People gave it no name. */
  on?: string
  /** Of a tab: what it works on. */
  branch?: string
}

export function whoOf(caller: string, names: EventNames): Who {
  const colon = caller.indexOf(':')
  const [kind, id] = colon === -1 ? [caller, undefined] : [caller.slice(0, colon), caller.slice(colon + 1)]
  if (id === undefined) return { kind, name: undefined }
  if (kind === 'agent' || kind === 'starter') return { kind: 'agent', name: names.agents[id] ?? id }
  if (kind === 'run') return { kind, name: names.runs[id]?.role ?? id }
  if (kind === 'tab') {
    const tab = names.tabs[id]
    return tab ? { kind, name: tab.engine, branch: tab.branch } : { kind, name: id }
  }
  const on = kind === 'runner' ? machineOf(id) : undefined
  return { kind, name: id, ...(on !== undefined && { on }) }
}

/** The one thing that an event is about, to look for all about it; and where it can be looked at. */
export function subjectOf({ payload }: StoredEvent): { id: string; href?: string } | undefined {
  const fields = (payload ?? {}) as Record<string, unknown>
  for (const name of ['taskId', 'tabId', 'runId', 'crewId', 'groupId', 'worktreeId', 'agentId', 'projectId']) {
    const id = fields[name]
    if (typeof id === 'string') return name === 'taskId' ? { id, href: `/tasks/${encodeURIComponent(id)}` } : { id }
  }
  const decision = fields['decisionId']
  const topic = fields['topicId']
  if (typeof decision === 'number') return { id: String(decision), href: `/memory/decisions/${decision}` }
  if (typeof topic === 'number') return { id: String(topic), href: `/memory/topics/${topic}` }
  return undefined
}
