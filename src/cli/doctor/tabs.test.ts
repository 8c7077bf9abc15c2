import path from 'node:path'
import { expect, test } from 'vitest'
import type { TabRecord } from '#contract/records.ts'
import type { WorktreeView } from '#contract/worktrees.ts'
import type { Connection } from '../connect.ts'
import { tabFindings, terminalFindings } from './tabs.ts'

const NOW = Date.parse('2026-07-02T12:00:00Z')
const HERE = import.meta.dirname

/** A hub that has these. */
function hubWith(tabs: Partial<TabRecord>[], worktrees: Partial<WorktreeView>[], trashed = 0): Connection {
  const answers: Record<string, (input: { trashed?: boolean }) => unknown> = {
    'tab.list': () => ({ tabs: tabs.map(tab => ({ engine: 'claude', ended_at: null, ...tab })) }),
    'worktree.list': input => ({
      worktrees: input.trashed
        ? Array.from({ length: trashed }, () => ({}))
        : worktrees.map(one => ({ own: true, state: 'ready', setup: 'none', path: HERE, ...one })),
    }),
  }
  return { call: async (operation: string, input: object) => answers[operation]?.(input) } as unknown as Connection
}

async function said(hub: Connection): Promise<string[]> {
  const findings = await tabFindings(hub, NOW)
  return findings.map(({ level, text, fix }) => [level, text.en, ...(fix ? [fix.en] : [])].join(' | '))
}

test('says who waits, what was lost with the terminals, and what could not be started', async () => {
  const ended = (at: string, end_reason: TabRecord['end_reason'], branch: string, problem: string | null = null) => ({
    branch,
    worktree_path: `/w/${branch}`,
    ended_at: at,
    end_reason,
    problem,
  })
  const tabs: Partial<TabRecord>[] = [
    { branch: 'login', status: 'waiting', worktree_path: '/w/login' },
    { branch: 'back', status: 'idle', worktree_path: '/w/back' },
    ended('2026-07-02T11:00:00Z', 'lost', 'api'),
    ended('2026-07-02T10:00:00Z', 'lost', 'docs'),
    ended('2026-07-02T10:00:00Z', 'failed', 'web', 'no such file'),
    { ...ended('2026-07-02T10:00:00Z', 'exited', 'cli'), exit_code: 1 },
    { ...ended('2026-07-02T10:00:00Z', 'exited', 'fine'), exit_code: 0 },
    // Long ago, or in use again, or nothing was wrong.
    ended('2026-06-30T10:00:00Z', 'lost', 'old'),
    ended('2026-07-02T10:00:00Z', 'lost', 'back'),
    ended('2026-07-02T10:00:00Z', 'stopped', 'done'),
  ]
  const lines = await said(hubWith(tabs, []))
  expect(lines).toHaveLength(4)
  expect(lines[0]).toBe('warn | claude on login asks something and waits. | Answer it: toryo tab attach login')
  expect(lines[1]).toMatch(/^warn \| The process that held their terminals is gone.*: api, docs \|.*claude api$/)
  expect(lines[2]).toMatch(
    /^warn \| claude on web could not be started: no such file \| .*toryo tab launch claude web$/,
  )
  expect(lines[3]).toBe('warn | claude on cli ended with exit code 1. | What it showed last: toryo tab show cli')
})

test('says which worktrees are gone or not prepared, and when many stand idle', async () => {
  const gone = path.join(HERE, 'not-there')
  const some: Partial<WorktreeView>[] = [
    { branch: 'a', path: gone },
    { branch: 'b', setup: 'failed', setup_error: 'exit 1', setup_log: '/logs/b.log' },
    // Not ours to remove.
    { branch: 'c', own: false },
  ]
  expect(await said(hubWith([], some, 2))).toEqual([
    'ok | 3 worktrees, 2 in the trash.',
    `warn | The worktree of a is not there any more: ${gone} | Forget it: toryo tab remove a (its branch and commits stay)`,
    'warn | The setup of the worktree of b failed: exit 1 | Look at /logs/b.log, then try again: toryo tab setup b',
  ])
  const many = Array.from({ length: 11 }, (_, n) => ({ branch: `b${n}`, path: path.join(HERE, n === 0 ? '.' : '..') }))
  const [counted, idle] = await said(hubWith([{ branch: 'b0', status: 'idle', worktree_path: HERE }], many))
  expect(counted).toBe('ok | 11 worktrees, 0 in the trash.')
  expect(idle).toMatch(/^warn \| 10 worktrees have no live tab\. \| .*toryo tab remove <branch>/)
})

test('says nothing where there is nothing', async () => {
  expect(await said(hubWith([], []))).toEqual([])
})

test('finds an installation whose terminals cannot work', () => {
  expect(terminalFindings(path.join(HERE, 'hub.js'))).toMatchObject([{ level: 'ok' }])
  const [broken] = terminalFindings('/nowhere/dist/hub.js')
  expect(broken).toMatchObject({ level: 'fail', fix: { en: expect.stringContaining('--include=optional') } })
  expect(broken?.text.en).toContain("Cannot find module '@lydell/node-pty'")
  expect(broken?.text.en).not.toContain('\n')
})
