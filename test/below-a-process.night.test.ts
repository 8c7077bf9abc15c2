// The operator's token can be read by every program of the user, so also by what the hub itself has started. Whoever shows it
// from below a tab, a run or a Runner's instance is that one, at every door, and no more.
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { locate } from '#client/locate.ts'
import { type Knocked, onBelow, PLACES, type Place, sharedBelow } from './below.ts'
import { type TestHub, testHub } from './hub.ts'
import { runnerAt } from './runner.ts'
import { rowsOf } from './scene.ts'

const kinds: Record<Place, string> = { tab: 'tab', run: 'run', instance: 'starter' }

/** It counts as this caller, at the doors that do not depend on which caller it is. */
function expectItself(answers: Record<string, Knocked>, id: string): void {
  const refused = { status: 403, text: expect.stringContaining(id) as unknown }
  const called = { calls: [{ isError: true, code: 'NOT_ALLOWED' }] }
  expect(answers).toMatchObject({
    'api over the port': refused,
    'api over the socket': { status: 403 },
    export: refused,
    'lines over the port': called,
    'lines over the socket': { status: 403 },
    WebSocket: called,
    'MCP over HTTP': called,
    "another's MCP session": { status: 404 },
    events: refused,
    terminal: refused,
    'a pass': { given: false },
    'a login link': { status: 403 },
    // A hub that has no page to show has no way in to it either.
    'a login with a link of the operator': { status: expect.toBeOneOf([403, 404]) as unknown },
    'a page of the operator': { status: expect.toBeOneOf([401, 403]) as unknown },
  })
}

/** Another one of its database, with a home of its own. */
function hubBeside(hub: TestHub): Promise<TestHub> {
  const home = path.join(hub.home, 'second')
  const target = locate(hub.target.db, { env: { HOME: home, TORYO_HOME: home } })
  const config: unknown = JSON.parse(fs.readFileSync(path.join(hub.target.home, 'config.json'), 'utf8'))
  return testHub({ target, config })
}

describe.runIf(process.platform === 'linux')("with the operator's token", () => {
  describe('at one hub', () => {
    const shared = sharedBelow({})

    test.each(PLACES)('what was started as a %s is itself at every door, however it connects', async place => {
      const below = shared()
      const { hub, otherTask, otherRun, ids } = below
      const forged = { agentId: otherRun, status: 'success', summary: 'forged' }
      const calls = [
        { tool: 'update_task_status', args: { task_id: otherTask, status: 'cancelled' } },
        { tool: 'report_result', args: forged },
        { tool: 'gwt_launch_agent', args: { agent_id: 'obedient', branch: 'deeper', project_id: 'prj_own' } },
      ]
      await hub.fetch('/api/tab.send', {
        method: 'POST',
        headers: { 'idempotency-key': 'the same' },
        body: JSON.stringify({ tab_id: below.tab, message: 'hello' }),
      })
      for (const how of ['$DOORS', '/usr/bin/env -i $DOORS']) {
        const answers = await below.knock(place, calls, how)
        const id = ids[place]
        const refused = { status: 403, code: 'NOT_ALLOWED', text: expect.stringContaining(id) as unknown }
        const called = {
          calls: [
            { isError: true, code: 'NOT_ALLOWED' },
            {
              isError: true,
              code: place === 'instance' ? 'NOT_ALLOWED' : expect.stringMatching(/NOT_ALLOWED|AGENT_MISMATCH/),
            },
            { isError: true, code: place === 'instance' ? 'NOT_ALLOWED' : 'TAB_DEPTH_REACHED' },
          ],
        }
        expect(answers).toMatchObject({
          'api over the port': refused,
          'api over the socket': { status: 403 },
          export: refused,
          prompts: refused,
          'lines over the port': called,
          'lines over the socket': { status: 403 },
          WebSocket: called,
          'MCP over HTTP': called,
          'MCP over HTTP at the socket': { status: 403 },
          "another's MCP session": { status: 404 },
          'a message with a key':
            place === 'tab' ? { status: 200, text: expect.stringContaining(`"from":"${id}"`) } : refused,
          events: { status: 403, text: expect.stringContaining(id) },
          terminal: { status: 403, text: expect.stringContaining(id) },
          'a pass': { status: 200, given: false },
          'a login link': refused,
          'a login with a link of the operator': refused,
          'a page of the operator': { status: 403, code: 'NOT_ALLOWED' },
        } satisfies Record<string, Partial<Knocked> | object>)
        // Refused, or cut off with the half that it had closed.
        expect([0, 403]).toContain(answers['api, half closed']?.status)
        // Each refusal was written down, with who was refused.
        const refusals = (await rowsOf(hub, 'events'))['events']?.filter(({ type }) => type === 'call.refused') ?? []
        const by = new Set(refusals.map(row => String(row['caller'])))
        expect([...by]).toContain(`${kinds[place]}:${id}`)
        expect([...by]).not.toContain('operator')
      }
      expect((await hub.api('task.show', { task_id: otherTask })).status).not.toBe('cancelled')
      expect((await below.crew.state(otherRun))['status']).toBe('running')
      expect((await hub.api('tab.list', {})).tabs.map(({ branch }) => branch)).not.toContain('deeper')
    })

    test('what carries the mark of another hub, or of what has ended, is refused at every door', async () => {
      const below = shared()
      for (const how of ['$DOORS', '/usr/bin/env -i $DOORS; true']) {
        const answers = await below.knock({ mark: 'mark_of_another_hub' }, [], how)
        const { 'a pass': pass, 'api, half closed': half, ...rest } = answers
        expect(pass).toEqual({ status: 200, given: false })
        expect([0, 403]).toContain(half?.status)
        const statuses = Object.entries(rest).map(([door, { status }]) => [door, status])
        expect(statuses).toEqual(Object.keys(rest).map(door => [door, 403]))
        expect(answers['api over the port']?.text).toContain('another hub')
      }
      expect((await below.hub.api('task.show', { task_id: below.otherTask })).status).not.toBe('cancelled')
    })

    test.each(PLACES)("a Runner's token opens no door to what was started as a %s", async place => {
      const below = shared()
      const { hub, ids } = below
      const { token } = await hub.api('runner.add', { name: `box-${place}` })
      const other = `agt_other_${place}`
      // Not for the hub's own Runner, which has no such program.
      await hub.api('agent.add', { id: other, name: other, engine: 'elsewhere' })
      await hub.api('project.assign', { agent_id: other, project_id: 'prj_other' })
      const task = { project_id: 'prj_other', title: 'theirs', assignee_id: other }
      await hub.api('task.add', { ...task, status: 'in_progress' })
      const calls = [{ tool: 'should_start', args: { agent_id: other, project_id: 'prj_other' } }]

      for (const how of ['$DOORS', '/usr/bin/env -i $DOORS']) {
        const answers = await below.knock(place, calls, how, token)
        const refused = { status: 403, text: expect.stringContaining(ids[place]) as unknown }
        const atSocket = { status: 403, text: expect.stringContaining('port') as unknown }
        expect(answers).toMatchObject({
          'api over the port': refused,
          'api over the socket': atSocket,
          'lines over the port': refused,
          'lines over the socket': atSocket,
          WebSocket: { status: 403 },
          events: refused,
        })
      }
      expect(await below.knock({ mark: 'mark_of_another_hub' }, calls, '$DOORS', token)).toMatchObject({
        'lines over the port': { status: 403, text: expect.stringContaining('another hub') },
        WebSocket: { status: 403 },
      })
      expect((await rowsOf(hub, 'leases'))['leases']?.filter(row => row['agent_id'] === other)).toEqual([])

      const own = await below.knock({}, calls, '$DOORS', token)
      expect(own['lines over the port']).toMatchObject({ status: 101, calls: [{ isError: false }] })
    })

    // Last: what a person has started may do all of it, and does.
    test('what a person has started is the operator at the port, and at the socket with a pass', async () => {
      const below = shared()
      const calls = [{ tool: 'health_check', args: {} }]
      const answers = await below.knock({}, calls)
      expect(answers).toMatchObject({
        'api over the port': { status: 200 },
        'api over the socket': { status: 403, text: expect.stringContaining('port') },
        export: { status: 200 },
        prompts: { status: 200 },
        'lines over the port': { calls: [{ isError: false }] },
        'lines over the socket': { status: 403 },
        WebSocket: { calls: [{ isError: false }] },
        'MCP over HTTP': { calls: [{ isError: false }] },
        'MCP over HTTP at the socket': { status: 403 },
        "another's MCP session": { status: 200 },
        'a message with a key': { status: 200 },
        events: { status: 101 },
        terminal: { status: 101 },
        'a pass': { status: 200, given: true },
        'a login link': { status: 200 },
        'a login with a link of the operator': { status: 200 },
      })
    })
  })

  describe('at two hubs of one database', () => {
    const shared = sharedBelow({ database: 'postgres' })

    test.each(PLACES)('what another hub of the database has started as a %s is that one here as well', async place => {
      const below = shared()
      const { hub, otherTask, ids } = below
      await using second = await hubBeside(hub)
      const calls = [{ tool: 'update_task_status', args: { task_id: otherTask, status: 'cancelled' } }]
      const answers = await below.knock(place, calls, '/usr/bin/env -i $DOORS', second.token, second)
      expectItself(answers, ids[place])
      expect((await hub.api('task.show', { task_id: otherTask })).status).not.toBe('cancelled')
    })

    test('what a person has started is the operator at that hub, too', async () => {
      const below = shared()
      await using second = await hubBeside(below.hub)
      expect(await below.knock({}, [], '$DOORS', second.token, second)).toMatchObject({ export: { status: 200 } })
    })
  })

  test('what a Runner beside the hub has started is its agent', async () => {
    await onBelow({ beside: true }, async below => {
      const { hub, otherTask, ids } = below
      const { token } = await hub.api('runner.add', { name: 'beside' })
      const runner = await runnerAt(hub, token, path.join(hub.home, 'beside'))
      const calls = [{ tool: 'update_task_status', args: { task_id: otherTask, status: 'cancelled' } }]
      for (const how of ['$DOORS', '/usr/bin/env -i $DOORS'])
        expectItself(await below.knock('instance', calls, how), ids.instance)
      expect((await hub.api('task.show', { task_id: otherTask })).status).not.toBe('cancelled')
      await runner.stop()
    })
  })
})
