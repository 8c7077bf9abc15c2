// Two hubs on one PostgreSQL, as on two machines. One falls silent: it sleeps, or cannot reach the database.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { locate } from '#client/locate.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import { crewOn, onCrew } from '../crews.ts'
import { TestClock, testHub } from '../hub.ts'
import { HEAVY, until } from '../processes.ts'
import { eventsOf, rowsOf } from '../scene.ts'
import { markedProcesses } from '../scripted.ts'

test(
  'the runs of a hub that is silent for too long are ended by another, and it stops them when it is back',
  HEAVY,
  async () => {
    const away = new TestClock()
    await onCrew({ database: 'postgres', clock: away }, async crew => {
      const other = mkdtempSync(join(realpathSync(tmpdir()), 'toryo-other-'))
      try {
        const target = locate(crew.hub.target.db, { env: { HOME: other, TORYO_HOME: other } })
        const present = new TestClock()
        await using second = await testHub({ target, clock: present })
        const [id = ''] = await crew.start('!hang')
        await crew.until(id, 'running')
        const marker = ((await rowsOf(crew.hub, 'runs'))['runs'] ?? []).map(
          run => (JSON.parse(String(run['process'])) as ProcessRecord).marker,
        )[0] as string
        expect(markedProcesses(marker)).not.toEqual([])

        present.advance(119_000)
        await second.running.hub.tend([])
        expect(await crew.state(id)).toMatchObject({ status: 'running' })
        present.advance(2000)
        await second.running.hub.tend([])
        // Whichever hub is asked.
        for (const asked of [crew, crewOn(second, crew.folder)])
          expect(await asked.state(id)).toMatchObject({ status: 'failed', endReason: 'hub-lost' })
        await until(() => markedProcesses(marker).length === 0 && crew.hub.running.hub.processes.size === 0)
        const rows = await rowsOf(crew.hub)
        expect(rows['slots']).toEqual([])
        expect(eventsOf(rows, 'run.ended').map(({ reason }) => reason)).toEqual(['hub-lost'])
      } finally {
        rmSync(other, { recursive: true, force: true })
      }
    })
  },
)
