// A hub that is killed at any step of a snapshot, a check, a merge or what follows it: the next one goes on from the rows, once, and leaves nothing running.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Target } from '#client/locate.ts'
import { expect, test } from 'vitest'
import { isAlive } from '#system/processes.ts'
import { DIST } from '../../scripts/sources.js'
import { testHub } from '../hub.ts'
import { HEAVY } from '../processes.ts'
import { eventsOf, rowsOf } from '../scene.ts'
import { inShop, put, reached, report, rows } from '../thread.ts'
import { until } from '../until.ts'
import { bundleFile } from '../../scripts/bundle-file.js'

const STEPS = [
  ...['snapshot-begun', 'snapshot-made', 'snapshot-stored'],
  ...['check-planned', 'check-launched', 'check-over', 'check-ended'],
]

test.each(STEPS)(
  'killed at %s, reported work is verified once by the next hub',
  async step => {
    let isHeld = true
    const holdBack = () => {
      if (isHeld) throw new Error('not in this hub')
    }
    await inShop({ thread: { reached: holdBack } }, async shop => {
      const { hub, path: folder, target, repo } = shop
      const command = ['sh', '-c', 'echo $$ >> ignored/pids; test -e ignored/go || sleep 600']
      await hub.api('project.check.add', { project_id: 'prj_shop', name: 'test', command })
      put(folder, 'cart', 'x')
      put(folder, 'ignored/x', '')
      if (step !== 'check-launched') put(folder, 'ignored/go', '')
      await report(shop)
      await hub.stop()
      isHeld = false
      await diesAt(step, target)
      const left = pidsIn(folder)
      put(folder, 'ignored/go', '')
      await using next = await testHub({ target })
      await reached(next, 'review')
      expect(left.filter(isAlive)).toEqual([])
      const snapshots = await rows(next, 'snapshots')
      expect(snapshots).toMatchObject([{ error: null, changed_files: 1 }])
      const passed = (await rows(next, 'evidence')).filter(row => row['outcome'] === 'passed')
      expect(passed).toHaveLength(1)
      const told = await rowsOf(next)
      expect(eventsOf(told, 'snapshot.taken')).toHaveLength(1)
      expect(eventsOf(told, 'task.verified')).toHaveLength(1)
      expect(told['slots']).toEqual([])
      expect(repo.git('for-each-ref', '--format=%(objectname)', 'refs/toryo/snapshots').trim()).toBe(
        String(snapshots[0]?.['commit_id']),
      )
    })
  },
  HEAVY.timeout,
)

const MERGE_STEPS = [
  ...['merge-begun', 'merge-prepared', 'check-launched#2', 'merge-checked', 'merge-moved', 'merge-ended'],
  ...['retire-begun', 'retire-released'],
]
const MOVED = new Set(['merge-moved', 'merge-ended', 'retire-begun', 'retire-released'])

test.each(MERGE_STEPS)(
  'killed at %s, accepted work is merged once by the next hub, and the checkout is never between',
  async step => {
    let isHeld = true
    const holdBack = () => {
      if (isHeld) throw new Error('not in this hub')
    }
    await inShop({ thread: { reached: holdBack }, settings: { accept: 'checks' } }, async shop => {
      const { hub, path: folder, target, repo } = shop
      // In the merged tree it hangs until the next hub.
      const command = [
        'sh',
        '-c',
        `echo $$ >> "${repo.root}/.git/pids"; test ! -e person || test -e "${repo.root}/.git/go" || sleep 600`,
      ]
      await hub.api('project.check.add', { project_id: 'prj_shop', name: 'test', command })
      put(folder, 'README', 'by the agent\n')
      put(folder, '日本語\n名前', 'x')
      // So that the merged tree is another than the one that was checked.
      repo.write('person', 'x')
      const before = repo.commit('by a person')
      if (step !== 'check-launched#2') repo.write('.git/go', '')
      await report(shop)
      await hub.stop()
      isHeld = false
      await diesAt(step, target)
      expect(repo.git('status', '--porcelain')).toBe('')
      expect(readFileSync(repo.at('README'), 'utf8')).toBe(MOVED.has(step) ? 'by the agent\n' : 'shop\n')
      expect(repo.git('rev-parse', 'main').trim() === before).toBe(!MOVED.has(step))
      const left = readFileSync(repo.at('.git/pids'), 'utf8').trim().split('\n').map(Number)
      repo.write('.git/go', '')
      await using next = await testHub({ target })
      await reached(next, 'merged')
      await until(async () => (await next.api('task.show', { task_id: 'tsk_cart' })).workspace?.released)
      expect(left.filter(isAlive)).toEqual([])
      expect(existsSync(folder)).toBe(false)
      expect(repo.git('status', '--porcelain')).toBe('')
      expect(readFileSync(repo.at('README'), 'utf8')).toBe('by the agent\n')
      expect(readFileSync(repo.at('日本語\n名前'), 'utf8')).toBe('x')
      const log = repo.git('log', '--first-parent', '--format=%s', 'main').trim().split('\n')
      expect(log).toEqual(['Merge shop-1: Build the cart', 'by a person', 'commit'])
      const told = await rowsOf(next)
      expect(eventsOf(told, 'merge.ended')).toMatchObject([{ outcome: 'merged' }])
      expect(eventsOf(told, 'workspace.released')).toHaveLength(1)
      expect(told['merges']).toHaveLength(1)
      expect(told['slots']).toEqual([])
      expect(repo.git('for-each-ref', 'refs/toryo/merges')).toBe('')
    })
  },
  HEAVY.timeout,
)

function pidsIn(folder: string): number[] {
  const file = path.join(folder, 'ignored/pids')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : []
}

/** A hub on the same database, until it reaches the step. */
async function diesAt(step: string, target: Target): Promise<void> {
  const program = await bundleFile('test/fixtures/thread-hub-that-dies.ts')
  const dying = spawn(process.execPath, [program, target.db, target.home, step, DIST], { stdio: 'inherit' })
  const [, signal] = (await once(dying, 'exit')) as [number | null, string | null]
  expect(signal).toBe('SIGKILL')
}
