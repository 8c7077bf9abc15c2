// What starting runs through the hub costs beside starting the same program by hand; how the hub feels while three of them flood;
// what a thousand of them leave behind; how soon one who waits hears of an end. `--runs 1000` for the whole of the third.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Hub, Place, residentMb } from './programs.ts'
import { atMost, figure, median, percentile, report } from './report.ts'

const ENGINE = fileURLToPath(new URL('../test/fixtures/scripted-engine.js', import.meta.url))
const WAVE = 8
const RUNS = 50
const WARM = 100
const many = Number(process.argv[process.argv.indexOf('--runs') + 1]) || 300

type Event = { at: string; type: string; payload: { runId?: string; agentId?: string } }

await using place = new Place()
const command = [process.execPath, ENGINE]
const config = {
  limits: { runs: WAVE },
  engines: { scripted: { headless: command, version: [...command, '--version'], output: 'claude' } },
  roles: [{ id: 'worker', engine: 'scripted', model: 'default' }],
}
writeFileSync(join(place.home, 'config.json'), JSON.stringify(config), { mode: 0o600 })
const folder = join(place.home, 'work')
mkdirSync(folder)
const hub = await place.startHub()
const bridge = await place.bridge().open()

const bare: number[] = []
const through: number[] = []
await wave(hub, WAVE, '!say warm')
// In turns: whatever else the machine does, it does to both.
for (let done = 0; done < RUNS; done += WAVE) {
  const count = Math.min(WAVE, RUNS - done)
  bare.push(...(await Promise.all(Array.from({ length: count }, firstByte))))
  const ids = await wave(hub, count, '!say hello')
  through.push(...(await storedAfter(place, ids)))
}

const wakes: number[] = []
for (let round = 0; round < 20; round++) {
  const { runs } = await start(hub, 1, '!sleep 150\n!say done')
  const id = runs[0]?.run_id ?? ''
  await bridge.call('wait_agent', { agentIds: [id] })
  const answeredAt = Date.now()
  const ended = (await events(place)).find(({ type, payload }) => type === 'run.ended' && payload.runId === id)
  wakes.push(answeredAt - Date.parse(ended?.at ?? ''))
}

const { runs: floods } = await start(hub, 3, '!flood lines')
await pause(1000)
const lags: number[] = []
for (let look = 0; look < 200; look++) {
  const before = performance.now()
  await hub.api('hub.status', {})
  lags.push(performance.now() - before)
  await pause(15)
}
for (const { run_id } of floods) await hub.api('run.stop', { run_id })
await bridge.call('wait_agent', { agentIds: floods.map(({ run_id }) => run_id) })

for (let done = 0; done < WARM; done += WAVE) await wave(hub, WAVE, '!say warm')
const before = residentMb(hub.pid)
for (let done = 0; done < many; done += WAVE) await wave(hub, WAVE, '!say one of many')
const after = residentMb(hub.pid)
await bridge.close()

report('runs', [
  figure(`bare spawn to the first byte, in waves of ${WAVE}, median of ${RUNS}`, median(bare), ' ms'),
  figure('through the hub, from the request to the first stored event, median', median(through), ' ms'),
  atMost('through the hub ÷ bare spawn', median(through) / median(bare), 2, ' ×'),
  atMost('an answer of the hub while three runs flood, p99', percentile(lags, 0.99), 100, ' ms'),
  atMost('wait_agent after the end, median', median(wakes), 50, ' ms'),
  figure(`hub, resident, before ${many} more runs`, before, ' MB'),
  atMost(`growth over ${many} runs`, after - before, 20, ' MB'),
])

/** The same program by hand, as it is launched for a run. */
function firstByte(): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, [ENGINE], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'], detached: true })
  child.stdin.end('!say hello\n')
  return new Promise(resolve => {
    let first = 0
    child.stdout.once('data', () => (first = performance.now() - began))
    child.stdout.on('data', () => {})
    child.once('close', () => resolve(first))
  })
}

function start(on: Hub, count: number, prompt: string) {
  const tasks = Array.from({ length: count }, () => ({ role: 'worker', prompt }))
  return on.api('crew.run', { mode: 'concurrent', stages: [{ tasks }], directory: folder })
}

/** Starts them and waits for their end. */
async function wave(on: Hub, count: number, prompt: string): Promise<string[]> {
  const { runs } = await start(on, count, prompt)
  const ids = runs.map(({ run_id }) => run_id)
  await bridge.call('wait_agent', { agentIds: ids })
  return ids
}

/** For each: from its row until its first output is stored. */
async function storedAfter(at: Place, ids: readonly string[]): Promise<number[]> {
  const all = await events(at)
  return ids.map(id => {
    const made = all.find(({ type, payload }) => type === 'agent:created' && payload.agentId === id)
    const told = all.find(({ type, payload }) => type === 'run.progressed' && payload.runId === id)
    return Date.parse(told?.at ?? '') - Date.parse(made?.at ?? '')
  })
}

/** Every event so far, read past the hub. */
async function events({ db }: Place): Promise<Event[]> {
  const { Sqlite } = await import('#kernel/db/sqlite-port.ts')
  const file = new Sqlite(db, { readOnly: true })
  const rows = file.all(
    "SELECT at, type, payload FROM events WHERE type IN ('agent:created', 'run.progressed', 'run.ended')",
  )
  file.close()
  return rows.map(({ at, type, payload }) => ({
    at: new Date(Number(at)).toISOString(),
    type: String(type),
    payload: JSON.parse(String(payload)) as Event['payload'],
  }))
}
