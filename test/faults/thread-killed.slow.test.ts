// A hub that is killed at any step of a snapshot or a check: the next one goes on from the rows, once, and leaves nothing running.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isAlive } from '#system/processes.ts'
import { DIST } from '../../scripts/sources.js'
import { testHub } from '../hub.ts'
import { HEAVY } from '../processes.ts'
import { eventsOf, rowsOf } from '../scene.ts'
import { inShop, put, reached, report, rows } from '../thread.ts'
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
      const program = await bundleFile('test/fixtures/thread-hub-that-dies.ts')
      const dying = spawn(process.execPath, [program, target.db, target.home, step, DIST], { stdio: 'inherit' })
      const [, signal] = (await once(dying, 'exit')) as [number | null, string | null]
      expect(signal).toBe('SIGKILL')
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

function pidsIn(folder: string): number[] {
  const file = path.join(folder, 'ignored/pids')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : []
}
