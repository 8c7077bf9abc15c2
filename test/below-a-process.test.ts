// The operator's token can be read by every program of the user, so also by what the hub itself has started. Whoever shows it
// from below a tab, a run or a Runner's instance is that one, at every door, and no more.
import { describe, expect, test } from 'vitest'
import { type Knocked, onBelow, PLACES, type Place } from './below.ts'
import { rowsOf } from './scene.ts'

const kinds: Record<Place, string> = { tab: 'tab', run: 'run', instance: 'starter' }

describe.runIf(process.platform === 'linux')("with the operator's token", () => {
  test.each(PLACES)('what was started as a %s is itself at every door, however it connects', async place => {
    await onBelow({}, async below => {
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
        } satisfies Record<string, Partial<Knocked> | object>)
        // Refused, or cut off with the half that it had closed.
        expect([0, 403]).toContain(answers['api, half closed']?.status)
        // Each refusal was written down, with who was refused.
        const refusals = (await rowsOf(hub))['events']?.filter(({ type }) => type === 'call.refused') ?? []
        const by = new Set(refusals.map(row => String(row['caller'])))
        expect([...by]).toContain(`${kinds[place]}:${id}`)
        expect([...by]).not.toContain('operator')
      }
      expect((await hub.api('task.show', { task_id: otherTask })).status).not.toBe('cancelled')
      expect((await below.crew.state(otherRun))['status']).toBe('running')
      expect((await hub.api('tab.list', {})).tabs.map(({ branch }) => branch)).not.toContain('deeper')
    })
  })

  test('what a person has started is the operator at the port, and at the socket with a pass', async () => {
    await onBelow({}, async below => {
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
      })
    })
  })

  test('what carries the mark of another hub, or of what has ended, is refused at every door', async () => {
    await onBelow({}, async below => {
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
  })
})
