// `toryo up` has registered itself in the programs' own config files, and starts them: the agent has our tools once, by its
// ticket, the servers that the person has in the same files, and not the operator's rights.
import { expect, test } from 'vitest'
import { REGISTERED_NAME } from '#contract/limits.ts'
import { type CliName, COPIED_SERVER, describeClis, EVERY_CLI, OWN_SERVER, PROJECT_SERVER } from './clis.ts'
import { type Heard, MCP_NAME, type Step } from './model/conversation.ts'
import { diligentWith, inTurn } from './scripts.ts'
import { TabWorld } from './tab-world.ts'

const COPIED = { copied: true }

/** What a model can do to find out who else is there: use the person's server, then the registered bridge, then look around. */
function look(cli: CliName): Step[] {
  return [
    { call: 'echo', args: { wood: '樫' }, server: OWN_SERVER },
    { call: 'list_projects', args: {}, server: COPIED_SERVER },
    ...(cli === 'codex' ? [{ listTools: true } as const] : []),
  ]
}

/** What came of the operator's token in the agent's hands. */
async function expectNoRights(world: TabWorld): Promise<void> {
  const results = world.model.asked.flatMap(heard => heard.results)
  // Codex confines commands so that they cannot reach any hub.
  const registered = /registered: (?:it ended|.*Unknown tool: update_task_status)/
  expect(results.find(result => result.includes('all doors tried'))).toMatch(registered)
  expect(await world.neighbour()).toBe('todo')
}

function expectNoTwin(cli: CliName, world: TabWorld, tool: string): void {
  const { own, twin, tools } = seen(cli, world)
  const from = (server: string) => tools.filter(name => name.replaceAll('-', '_').includes(server.replaceAll('-', '_')))
  // Switched off; and where a program starts it all the same, empty.
  expect(from(REGISTERED_NAME)).toEqual([])
  expect(from(COPIED_SERVER)).toEqual([])
  expect(tools.filter(name => name.endsWith(`_${tool}`))).toEqual([expect.stringContaining(MCP_NAME)])
  expect(new Set(tools).size).toBe(tools.length)
  expect(twin).not.toContain('"projects"')
  // The person's own server is there, one that a repository brings along is not.
  expect(from(OWN_SERVER)).toHaveLength(1)
  expect(own).toContain('樫')
  expect(from(PROJECT_SERVER)).toEqual([])
}

/** What came of `look`, as the model heard it. */
function seen(cli: CliName, { model }: TabWorld): { own: string; twin: string; tools: string[] } {
  const heard = model.asked.find(({ results }) => {
    const first = results.findIndex(result => result.includes('樫'))
    return first !== -1 && results.length === first + look(cli).length
  })
  const [own = '', twin = '', list = ''] = heard?.results.slice(-look(cli).length) ?? []
  return { own, twin, tools: cli === 'codex' ? list.split('\n') : (heard?.tools ?? []) }
}

describeClis(EVERY_CLI, cli => {
  test('started by the Runner it does its task, with every tool once and no rights of the operator', async () => {
    const doors = (): Step => ({ shell: world.tryDoors })
    await using world = await TabWorld.open([cli], { usual: diligentWith(doors, ...look(cli)) }, COPIED)
    const task_id = await world.employ(cli)
    await world.comesTrue(async () => (await world.api('task.show', { task_id }))['status'] === 'done')
    expectNoTwin(cli, world, 'authenticate')
    await expectNoRights(world)
  })

  test('in a crew it reports its result, with every tool once and no rights of the operator', async () => {
    const doors = (): Step => ({ shell: world.tryDoors })
    const report = ({ prompt }: Heard): Step => {
      const agentId = /You are agent (run_[\w-]+) of group/.exec(prompt)?.[1]
      return { call: 'report_result', args: { agentId, status: 'success', summary: 'The roof is on' } }
    }
    await using world = await TabWorld.open(
      [cli],
      { build: inTurn(doors, ...look(cli), report, { say: 'Built' }) },
      COPIED,
    )
    const run = await world.crew(cli, 'SCRIPT=build')
    expect(run).toMatchObject({ status: 'completed', result: { status: 'success', summary: 'The roof is on' } })
    expectNoTwin(cli, world, 'report_result')
    await expectNoRights(world)
  })

  test('in a tab it is that tab, with every tool once and no rights of the operator', async () => {
    const doors = (): Step => ({ shell: world.tryDoors })
    const letters = { call: 'gwt_read_messages', args: {} }
    await using world = await TabWorld.open(
      [cli],
      { look: inTurn(letters, doors, ...look(cli), { say: 'I looked' }) },
      COPIED,
    )
    const tab = await world.launch(cli, { permission: 'edit' })
    await world.becomes(tab, 'idle')
    await world.send(tab, 'SCRIPT=look')
    const { results } = await world.hears(cli, '[gwt msg from operator]: SCRIPT=look', 2 + look(cli).length)
    expect(results[0]).toContain(`"to":"${tab}"`)
    expectNoTwin(cli, world, 'gwt_read_messages')
    await expectNoRights(world)
  })
})
