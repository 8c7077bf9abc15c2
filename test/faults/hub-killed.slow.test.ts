import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Sqlite } from '#kernel/db/sqlite-port.ts'
import { type BridgeChild, HEAVY, kill, post, until, Workshop } from '../processes.ts'
import { rounds } from '../rounds.ts'

const ROUNDS = rounds({ day: 5, night: 50 })

/** One request and what became of it. */
type Entry = { kind: 'note' | 'handoff' | 'task' | 'move' | 'report'; what: string; subject: string; acked: boolean }

/** Everything the clients asked for, in the order of asking. The checker compares it with what the database holds. */
class History {
  readonly entries: Entry[] = []

  async record(entry: Omit<Entry, 'acked'>, ask: () => Promise<{ ok: boolean; text: string }>): Promise<void> {
    const row = { ...entry, acked: false }
    this.entries.push(row)
    const { ok, text } = await ask()
    // The bridge gives up on nothing here: a hub is always back long before its patience ends.
    if (!ok) throw new Error(`${entry.kind} ${entry.what} was refused: ${text}`)
    row.acked = true
  }

  of(kind: Entry['kind']): Entry[] {
    return this.entries.filter(entry => entry.kind === kind)
  }
}

test(
  'a hub that is killed again and again under load loses no acknowledged write and doubles none',
  HEAVY,
  async () => {
    await using shop = new Workshop()
    const history = new History()
    const stop = new AbortController()
    const first = await openBridge(shop)
    const state = await shop.servingHub()
    const agents = await seed(state)

    const bridges = [first, await openBridge(shop), await openBridge(shop)]
    const workers = bridges.flatMap((bridge, index) => [
      writeNotes(bridge, `tsk_${index}`, `${index}a`, history, stop.signal),
      writeNotes(bridge, `tsk_${index}`, `${index}b`, history, stop.signal),
      handOver(bridge, `tsk_${index}`, history, stop.signal),
      moveAround(bridge, `tsk_m${index}`, history, stop.signal),
    ])
    const reporter = await openBridge(shop)
    workers.push(report(reporter, agents, history, stop.signal), addTasks(shop, history, stop.signal))
    const load = Promise.all(workers)

    for (let round = 0; round < ROUNDS; round++) {
      const { pid } = await Promise.race([shop.servingHub(), load.then(() => failed('the load ended by itself'))])
      // A bridge gives up on a request that so many hubs died over; signing in takes long, so now and then it may come to its end.
      if (round % 5 === 4) await Promise.race([anotherReport(history), load])
      else await pause(50 + Math.random() * 300)
      kill(pid)
      await until(async () => (await shop.servingHub()).pid !== pid)
    }
    stop.abort()
    await load

    for (const bridge of [...bridges, reporter]) {
      expect(bridge.noise).toEqual([])
      expect([...bridge.answers.values()].filter(times => times !== 1)).toEqual([])
      expect((await bridge.close()).code).toBe(0)
    }
    await shop.stopHub()
    await shop.allGone()
    check(shop, history)
  },
)

async function anotherReport(history: History): Promise<void> {
  const reports = () => history.of('report').filter(({ acked }) => acked).length
  const before = reports()
  await until(() => reports() > before)
}

async function openBridge(shop: Workshop): Promise<BridgeChild> {
  const bridge = shop.bridge()
  await bridge.initialize()
  return bridge
}

async function seed(state: { url: string; token: string }): Promise<{ id: string; passkey: string }> {
  const need = async (operation: string, input: unknown) => {
    const { status, body } = await post(state, operation, input)
    if (status !== 200) throw new Error(`${operation}: ${JSON.stringify(body)}`)
    return body
  }
  await need('project.add', { id: 'prj', name: 'prj', directory: '/' })
  const agent = await need('agent.add', { id: 'agt', name: 'agt', engine: 'claude' })
  await need('project.assign', { project_id: 'prj', agent_id: 'agt' })
  for (const id of ['tsk_0', 'tsk_1', 'tsk_2', 'tsk_m0', 'tsk_m1', 'tsk_m2'])
    await need('task.add', { id, project_id: 'prj', title: id })
  return { id: 'agt', passkey: String(agent['passkey']) }
}

async function writeNotes(bridge: BridgeChild, task: string, who: string, history: History, signal: AbortSignal) {
  for (let count = 0; !signal.aborted; count++) {
    const what = `note ${who} ${count}`
    await history.record({ kind: 'note', what, subject: task }, () =>
      bridge.call('save_context', { task_id: task, progress: what }),
    )
  }
}

async function handOver(bridge: BridgeChild, task: string, history: History, signal: AbortSignal) {
  for (let count = 0; !signal.aborted; count++) {
    const what = `handoff ${task} ${count}`
    await history.record({ kind: 'handoff', what, subject: task }, () =>
      bridge.call('create_handoff', { task_id: task, from_agent_id: 'agt', summary: what }),
    )
  }
}

async function moveAround(bridge: BridgeChild, task: string, history: History, signal: AbortSignal) {
  const statuses = ['todo', 'in_progress', 'blocked']
  for (let count = 0; !signal.aborted; count++) {
    const what = statuses[count % statuses.length] as string
    await history.record({ kind: 'move', what, subject: task }, () =>
      bridge.call('update_task_status', { task_id: task, status: what }),
    )
  }
}

/** An agent that signs in, takes a task of its own and reports it, over and over. */
async function report(
  bridge: BridgeChild,
  agent: { id: string; passkey: string },
  history: History,
  signal: AbortSignal,
) {
  for (let count = 0; !signal.aborted; count++) {
    const task = `tsk_r${count}`
    const added = await bridge.call('authenticate', { agent_id: agent.id, passkey: agent.passkey, project_id: 'prj' })
    if (!added.ok) throw new Error(`could not sign in: ${added.text}`)
    const token = added.body['session_token']
    await history.record({ kind: 'report', what: `report ${count}`, subject: task }, () =>
      bridge.call('report_completed', { session_token: token, result: 'success', summary: `report ${count}` }),
    )
  }
}

/** As the CLI does it: over HTTP, with a key, asking again until there is an answer. */
async function addTasks(shop: Workshop, history: History, signal: AbortSignal) {
  for (let count = 0; !signal.aborted; count++) {
    const what = `task ${count}`
    await history.record({ kind: 'task', what, subject: 'prj' }, () =>
      until(async () => {
        try {
          const { status, body } = await post(
            await shop.servingHub(),
            'task.add',
            { project_id: 'prj', title: what },
            what,
          )
          return { ok: status === 200, text: JSON.stringify(body) }
        } catch {
          return undefined // The hub was killed meanwhile.
        }
      }),
    )
  }
}

function check(shop: Workshop, history: History): void {
  const db = new Sqlite(shop.db(), { readOnly: true })
  try {
    expect(db.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    expect(db.all('PRAGMA foreign_key_check')).toEqual([])
    const stored = (sql: string) => db.all(sql).map(row => String(row['what']))
    expectOnce(history.of('note'), stored("SELECT progress AS what FROM notes WHERE progress LIKE 'note %'"))
    expectOnce(history.of('handoff'), stored('SELECT summary AS what FROM handoffs'))
    expectOnce(history.of('task'), stored("SELECT title AS what FROM tasks WHERE title LIKE 'task %'"))
    // One event per effect: no more, no fewer.
    const events = db.all('SELECT type, count(*) AS n FROM events GROUP BY type')
    const count = (type: string) => Number(events.find(row => row['type'] === type)?.['n'] ?? 0)
    expect(count('note.saved')).toBe(stored('SELECT id AS what FROM notes').length)
    expect(count('handoff.created')).toBe(stored('SELECT id AS what FROM handoffs').length)
    expect(count('task.added')).toBe(stored('SELECT id AS what FROM tasks').length)
    const ended = db.all("SELECT report FROM sessions WHERE end_reason = 'completed'")
    expectOnce(
      history.of('report'),
      ended.map(row => String((JSON.parse(String(row['report'])) as { summary: string }).summary)),
    )
    for (const task of ['tsk_m0', 'tsk_m1', 'tsk_m2']) {
      const last = history.of('move').findLast(entry => entry.subject === task)
      expect(stored(`SELECT status AS what FROM tasks WHERE id = '${task}'`)).toEqual([last?.what])
    }
    expect(history.entries.length).toBeGreaterThan(ROUNDS * 5)
  } finally {
    db.close()
  }
}

function expectOnce(entries: Entry[], stored: string[]): void {
  expect(stored.toSorted()).toEqual([...new Set(stored)].toSorted())
  const lost = entries.filter(entry => entry.acked && !stored.includes(entry.what))
  expect(lost).toEqual([])
  // What was never asked for must not be there either.
  const asked = new Set(entries.map(entry => entry.what))
  expect(stored.filter(what => !asked.has(what))).toEqual([])
}

function failed(why: string): never {
  throw new Error(why)
}
