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
})
