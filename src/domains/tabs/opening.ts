// The steps by which a tab that was created gets its program: worktree, trust, setup, ticket, terminal. Each is written down
// before the next one is taken, so that the next process knows what there is to go on with or to clear away.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorktreeId } from '#contract/id-types.ts'
import { plannedRecord } from '#kernel/processes/record.ts'
import { TORYO_TAB_ID } from '#system/environment-names.ts'
import { replaceFile } from '#system/files.ts'
import type { KeeperDeps } from './keeper.ts'
import type { Tab } from './model.ts'

export type OpeningDeps = Pick<
  KeeperDeps,
  'tabs' | 'trust' | 'worktrees' | 'workspaces' | 'engines' | 'terminals' | 'ids' | 'by' | 'log' | 'reached'
>

/** A stop was requested before it has begun. */
export class Stopped extends Error {}

const COLS = 120
const ROWS = 40

/** `folder` is the tab's alone. */
export async function openTab(deps: OpeningDeps, tab: Tab, folder: string, gone: AbortSignal): Promise<Tab> {
  const { tabs, trust, worktrees, engines, terminals, ids, by, log, reached } = deps
  const { id } = tab
  const worktree = await worktreeOf(deps, tab, gone)
  mayGoOn(await tabs.prepared(id, worktree, by), gone)
  reached?.('prepared')
  const cwd = worktree.id === null ? worktree.path : await worktrees.folderIn(worktree, tab.directory)
  // The branch may bring another configuration than the folder that was looked at.
  await trust.check(cwd)
  if (worktree.id !== null) {
    const { setup } = await worktrees.setup(worktree.id, by, { signal: gone })
    if (setup.state === 'failed')
      log.warn({ tab: id, problem: setup.error }, 'a setup failed; the tab starts all the same')
  }

  await mkdir(folder, { recursive: true, mode: 0o700 })
  const ticket = ids.secret('ttk')
  replaceFile(fs, join(folder, 'ticket'), ticket, { sync: false })
  const start = await engines.start(tab, { folder, directory: cwd }, { ...worktree.env, [TORYO_TAB_ID]: id })
  const marker = randomBytes(16).toString('hex')
  mayGoOn(await tabs.planned(id, plannedRecord(marker), ticket, start.session ?? tab.resumes), gone)
  reached?.('planned')
  const record = await terminals.open({
    id,
    program: start.program,
    args: start.args,
    cwd,
    env: { ...start.env, ...worktree.env, [TORYO_TAB_ID]: id, TERM: 'xterm-256color', COLORTERM: 'truecolor' },
    marker,
    cols: COLS,
    rows: ROWS,
    logFile: join(folder, 'terminal.log'),
  })
  reached?.('started')
  const opened = await tabs.opened(id, record, false, by)
  reached?.('opened')
  return opened
}

/** The one it had, when its start was cut off; else the task's or the branch's own, or a new one. */
async function worktreeOf(
  { worktrees, workspaces, by }: OpeningDeps,
  tab: Tab,
  gone: AbortSignal,
): Promise<{ id: WorktreeId | null; path: string; env?: Readonly<Record<string, string>> }> {
  if (tab.taskId !== null) return workspaces.ensure(tab.taskId, by, { signal: gone })
  // Programs keep conversations by folder: it goes on where it was begun.
  if (tab.resumes !== null) return { id: null, path: tab.directory }
  if (tab.worktreeId !== null) return worktrees.get(tab.worktreeId)
  const { projectId, directory, branch, base } = tab
  return worktrees.ensure({ projectId, directory, branch, base: base ?? undefined }, by, { signal: gone })
}

function mayGoOn(tab: Tab, gone: AbortSignal): void {
  if (gone.aborted || tab.stopRequestedAt !== null || tab.endedAt !== null) throw new Stopped()
}
