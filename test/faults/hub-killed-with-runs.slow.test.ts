// T42 for runs: whatever the moment at which a hub is killed, the next one ends what was running, records each end once, and
// starts nothing a second time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { locate } from '#client/locate.ts'
import type { ProcessRecord } from '#kernel/processes/record.ts'
import { bundleFile } from '../../scripts/bundle-file.js'
import { crewOn, scriptedConfig } from '../crews.ts'
import { databases, type DatabaseKind, type TestHub, testHub } from '../hub.ts'
import { freshPostgres } from '../postgres.ts'
import { build, HEAVY, until } from '../processes.ts'
import { eventsOf, rowsOf, type TableRows } from '../scene.ts'
import { markedProcesses } from '../scripted.ts'

const STEPS = ['planned', 'prepared', 'launched', 'recorded', 'ended', 'tidied']

type Scene = { home: string; folder: string; target: ReturnType<typeof locate>; die: Die; next: () => Promise<TestHub> }
type Die = (step: string, prompts: string[], isTime?: (rows: TableRows) => boolean) => Promise<void>

async function scene(database: DatabaseKind, story: (scene: Scene) => Promise<void>): Promise<void> {
  build()
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'toryo-dies-')))
  const postgres = database === 'postgres' ? await freshPostgres() : undefined
  try {
    const folder = join(home, 'work')
    mkdirSync(folder)
    writeFileSync(join(home, 'config.json'), JSON.stringify(scriptedConfig()))
    const db = postgres?.url ?? join(home, 'toryo.db')
    const target = locate(db, { env: { HOME: home, TORYO_HOME: home } })
    const program = await bundleFile('test/fixtures/hub-that-dies.ts')
    const die: Die = async (step, prompts, isTime) => {
      const child = spawn(process.execPath, [program, db, home, folder, step, ...prompts], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const exit = once(child, 'exit')
      if (isTime) {
        await until(async () => isTime(await rowsOf({ target } as TestHub).catch(() => ({}))))
        child.kill('SIGKILL')
      }
      expect(await exit).toEqual([null, 'SIGKILL'])
    }
    const next = () => testHub({ target, engineEnv: { PATH: process.env['PATH'] } })
    await story({ home, folder, target, die, next })
  } finally {
    await postgres?.drop()
    rmSync(home, { recursive: true, force: true })
  }
}

function markersIn(rows: TableRows): string[] {
  return (rows['runs'] ?? []).flatMap(({ process }) =>
    process === null ? [] : (JSON.parse(process as string) as ProcessRecord).marker,
  )
}

describe.each(databases)('on %s', database => {
  test.each(STEPS)('a hub that is killed when its run is %s leaves one end and no process', HEAVY, step =>
    scene(database, async ({ folder, die, next }) => {
      const isOver = step === 'ended' || step === 'tidied'
      await die(step, [isOver ? '!write once.txt x\n!say done' : '!write once.txt x\n!hang'])
      await using hub = await next()
      const [run] = (await rowsOf(hub, 'runs'))['runs'] ?? []
      const id = String(run?.['id'])
      const [state] = await crewOn(hub, folder).ended(id)
      expect(state).toMatchObject(
        isOver
          ? { status: 'completed', endReason: 'success', result: { summary: 'done' } }
          : { status: 'failed', endReason: 'hub-restart', result: { status: 'failure', source: 'hub' } },
      )
      const rows = await rowsOf(hub)
      expect(eventsOf(rows, 'run.ended')).toHaveLength(1)
      expect(rows['slots']).toEqual([])
      expect(rows['runs']).toMatchObject([{ ticket_digest: null }])
      for (const marker of markersIn(rows)) await until(() => markedProcesses(marker).length === 0)
      // It goes on working for others.
      const again = crewOn(hub, folder)
      const [next_ = ''] = await again.start('!say next')
      expect((await again.ended(next_))[0]).toMatchObject({ status: 'completed' })
    }),
  )

  test('five runs of every kind are ended, each told once; a run that was only queued starts', HEAVY, () =>
    scene(database, async ({ folder, die, next }) => {
      const prompts = [
        '!say on\n!hang',
        '!ignore-term\n!leave ignoring\n!say on\n!hang',
        '!leave double-fork\n!say on\n!hang',
        '!leave stopped\n!say on\n!hang',
        '!say on\n!flood lines',
      ]
      const told = (rows: TableRows) =>
        (rows['runs'] ?? []).filter(({ facts }) => String(facts).includes('"lastMessage":')).length === 5
      await die('never', prompts, told)
      await using hub = await next()
      const crew = crewOn(hub, folder)
      const ids = ((await rowsOf(hub, 'runs'))['runs'] ?? []).map(({ id }) => String(id))
      const states = await crew.ended(...ids)
      expect(states.map(({ status, endReason }) => `${String(status)} ${String(endReason)}`)).toEqual(
        Array.from({ length: 5 }, () => 'failed hub-restart'),
      )
      const rows = await rowsOf(hub)
      expect(eventsOf(rows, 'run.ended')).toHaveLength(5)
      expect(rows['slots']).toEqual([])
      for (const marker of markersIn(rows)) expect(markedProcesses(marker)).toEqual([])
    }),
  )
})

test('a hub that ends in order takes its runs with it, and cancels what waits', HEAVY, () =>
  scene('sqlite', async ({ folder, next, target }) => {
    const hub = await next()
    const crew = crewOn(hub, folder)
    const [hanging = ''] = await crew.start('!ignore-term\n!leave setsid\n!say on\n!hang')
    const { stages } = await crew.plan([['!say on\n!hang'], ['!say later']])
    const ids = [hanging, ...stages.flat()]
    await crew.until(hanging, now => now['lastMessage'] === 'on')
    await crew.until(stages[0]?.[0] ?? '', 'running')
    await hub.stop()
    const rows = await rowsOf(hub)
    expect(rows['runs']).toHaveLength(ids.length)
    for (const run of rows['runs'] ?? []) expect(run).toMatchObject({ outcome: 'cancelled', end_reason: 'hub-stopped' })
    expect(rows['slots']).toEqual([])
    for (const marker of markersIn(rows)) expect(markedProcesses(marker)).toEqual([])
    expect(readFileSync(join(target.logDirectory, 'runs', `${hanging}.log`), 'utf8')).toContain('"on"')
  }),
)
