// The doctor's look at tabs and worktrees: who waits for an answer, what was lost, what only takes up room.
import { createRequire } from 'node:module'
import fs from 'node:fs'
import type { TabRecord } from '#contract/records.ts'
import type { WorktreeView } from '#contract/worktrees.ts'
import type { Connection } from '../connect.ts'
import { localTime } from '../format.ts'
import { listAll } from '../list-all.ts'
import { workTexts } from '../texts-doctor-work.ts'
import type { Finding } from './finding.ts'

const LOOKED_AT = 2000
/** What ended before that is history. */
const LATELY_MS = 24 * 3600_000
/** From so many unused worktrees on, the doctor mentions them. */
const MANY = 10

/** The one native part that a terminal needs; an installation without it does everything else. */
export function terminalFindings(hubProgram: string): Finding[] {
  const check = 'terminals'
  try {
    createRequire(hubProgram)('@lydell/node-pty')
    return [{ check, level: 'ok', text: workTexts.terminalsOk }]
  } catch (problem) {
    const [reason = ''] = (problem as Error).message.split('\n')
    return [{ check, level: 'fail', text: workTexts.terminalsBroken(reason), fix: workTexts.terminalsFix }]
  }
}

export async function tabFindings(hub: Connection, now: number): Promise<Finding[]> {
  const { tabs } = await listAll(LOOKED_AT, 'tabs', page => hub.call('tab.list', { all: true, ...page }))
  const { worktrees } = await listAll(LOOKED_AT, 'worktrees', page => hub.call('worktree.list', page))
  const trash = await hub.call('worktree.list', { trashed: true })
  const live = tabs.filter(({ ended_at }) => ended_at === null)
  const occupied = new Set(live.map(({ worktree_path }) => worktree_path))
  // A branch that has a live tab again has got over it.
  const lately = tabs.filter(
    tab => tab.ended_at !== null && now - Date.parse(tab.ended_at) < LATELY_MS && !occupied.has(tab.worktree_path),
  )
  return [
    ...live.filter(({ status }) => status === 'waiting').map(waiting),
    ...lost(lately.filter(({ end_reason }) => end_reason === 'lost')),
    ...lately.filter(({ end_reason }) => end_reason === 'failed').map(failed),
    ...lately.filter(({ end_reason, exit_code }) => end_reason === 'exited' && exit_code).map(broken),
    ...worktreeFindings(worktrees, occupied, trash.worktrees.length),
    ...kept(trash.worktrees),
  ]
}

/** They have changes that no report has. */
function kept(trash: readonly WorktreeView[]): Finding[] {
  return trash.flatMap(({ worktree_id: id, branch, path, purge_at, trash: files }): Finding[] => {
    if (purge_at !== null) return []
    const text = workTexts.kept(branch ?? path, files ?? path)
    return [{ check: `worktree.${id}`, level: 'warn', text, fix: workTexts.keptFix(id) }]
  })
}

function waiting({ tab_id: id, engine, branch }: TabRecord): Finding {
  return {
    check: `tab.${id}`,
    level: 'warn',
    text: workTexts.waiting(engine, branch),
    fix: workTexts.waitingFix(branch),
  }
}

function failed({ tab_id: id, engine, branch, problem }: TabRecord): Finding {
  const text = workTexts.failed(engine, branch, problem ?? '?')
  return { check: `tab.${id}`, level: 'warn', text, fix: workTexts.launchFix(engine, branch) }
}

/** Programs that cannot start properly say so on their screen, and are gone before a person looks. */
function broken({ tab_id: id, engine, branch, exit_code }: TabRecord): Finding {
  const text = workTexts.exited(engine, branch, exit_code ?? 0)
  return { check: `tab.${id}`, level: 'warn', text, fix: workTexts.exitedFix(branch) }
}

/** They end together, when the process that holds the terminals does. */
function lost(tabs: readonly TabRecord[]): Finding[] {
  const [last] = [...tabs].sort((a, b) => (b.ended_at ?? '').localeCompare(a.ended_at ?? ''))
  if (!last) return []
  const branches = [...new Set(tabs.map(({ branch }) => branch))].join(', ')
  const text = workTexts.lost(branches, localTime(last.ended_at ?? ''))
  return [{ check: 'tabs.lost', level: 'warn', text, fix: workTexts.launchFix(last.engine, last.branch) }]
}

function worktreeFindings(
  all: readonly WorktreeView[],
  occupied: ReadonlySet<string | null>,
  trashed: number,
): Finding[] {
  const ready = all.filter(({ state }) => state === 'ready')
  const name = ({ branch, worktree_id }: WorktreeView) => branch ?? worktree_id
  const gone = ready.filter(({ path }) => !fs.existsSync(path))
  const unprepared = ready.filter(worktree => worktree.setup === 'failed' && !gone.includes(worktree))
  const idle = ready.filter(worktree => worktree.own && !occupied.has(worktree.path) && !gone.includes(worktree))
  const check = 'worktrees'
  const counted: Finding = { check, level: 'ok', text: workTexts.worktrees(ready.length, trashed) }
  const many: Finding = { check, level: 'warn', text: workTexts.idle(idle.length), fix: workTexts.idleFix }
  return [
    ...(ready.length + trashed > 0 ? [counted] : []),
    ...gone.map((worktree): Finding => {
      const text = workTexts.gone(name(worktree), worktree.path)
      return { check, level: 'warn', text, fix: workTexts.goneFix(name(worktree)) }
    }),
    ...unprepared.map((worktree): Finding => {
      const text = workTexts.setupFailed(name(worktree), worktree.setup_error ?? '')
      return { check, level: 'warn', text, fix: workTexts.setupFix(name(worktree), worktree.setup_log) }
    }),
    ...(idle.length >= MANY ? [many] : []),
  ]
}
