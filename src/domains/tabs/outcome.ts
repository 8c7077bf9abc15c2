// What a call waits for after its commit. The rows are the truth; these only wait for them.
import type { TabId } from '#contract/id-types.ts'
import type { Call } from '#kernel/tool.ts'
import { errorOf, type Tab } from './model.ts'
import type { Worktrees } from './ports.ts'
import type { Tabs } from './service.ts'

/** Less than any client waits for an answer. A tab that takes longer, with a long setup script, is reported as starting. */
const LAUNCH_MS = 45_000
/** A program that cannot work here most often ends within this. One that shows a prompt or a question is not waited for. */
const SETTLE_MS = 2000
/** The ladder by which terminals end takes 15 s at most. */
const STOP_MS = 45_000

const LAST_LINES = 20

/** No person reads faster. */
const LINE_MS = 500

type Services = { tabs: Tabs; worktrees: Pick<Worktrees, 'listen'> }

/**
 * Throws why the tab could not be started; one whose program ended at once is answered as ended. Meanwhile reports what the
 * project's setup command says.
 */
export async function launched({ tabs, worktrees }: Services, id: TabId, call: Call): Promise<Tab> {
  call.progress(0, 1, 'starting')
  const lines = new Lines(call)
  const forget = worktrees.listen((worktreeId, line) => {
    const own = (tab: Tab | undefined) => tab?.worktreeId === worktreeId && lines.hear(line)
    void tabs.find(id).then(own, () => {}) // Only a comfort; what matters is waited for below.
  })
  try {
    const opened = await tabs.until(id, now => now.openedAt !== null || now.endedAt !== null, call.signal, LAUNCH_MS)
    lines.end()
    const isSettled = (now: Tab) => now.openedAt === null || now.readyAt !== null || now.endedAt !== null
    const tab = isSettled(opened) ? opened : await tabs.until(id, isSettled, call.signal, SETTLE_MS)
    if (tab.problem) throw errorOf(tab.problem)
    call.progress(1, 1)
    return tab
  } finally {
    forget()
    lines.end()
  }
}

/** How it ended, when it has, and the last lines that it showed: most often they say why. */
export async function endingOf(
  tabs: Tabs,
  tab: Tab,
): Promise<{ exit_code?: number | null; exit_signal?: string | null; last_lines?: string[] }> {
  if (tab.endedAt === null) return {}
  const shown = (await tabs.lastScreen(tab)) ?? []
  const lines = shown.map(line => line.trimEnd()).filter(line => line !== '')
  return { exit_code: tab.exitCode, exit_signal: tab.exitSignal, last_lines: lines.slice(-LAST_LINES) }
}

/** Passes on the newest line, one at a time. The total is unknown: each line is a step nearer to the end. */
class Lines {
  readonly #call: Call
  #steps = 1
  #line: string | undefined
  #timer: NodeJS.Timeout | undefined
  #ended = false

  constructor(call: Call) {
    this.#call = call
  }

  hear(line: string): void {
    this.#line = line
    if (this.#timer === undefined) this.#tell()
  }

  end(): void {
    this.#ended = true
    clearTimeout(this.#timer)
  }

  #tell(): void {
    this.#timer = undefined
    if (this.#line === undefined || this.#ended) return
    this.#call.progress(1 - 1 / ++this.#steps, 1, this.#line)
    this.#line = undefined
    this.#timer = setTimeout(() => this.#tell(), LINE_MS)
  }
}

export function stopped(tabs: Tabs, id: TabId, call: Call): Promise<Tab> {
  return tabs.until(id, now => now.endedAt !== null, call.signal, STOP_MS)
}
