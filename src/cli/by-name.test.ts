import { expect, test } from 'vitest'
import { type Client, createClient } from '#client/api.ts'
import { TabError } from '#contract/tabs.ts'
import { type TestHub, testHub } from '#test/hub.ts'
import { byName, findTab } from './by-name.ts'

async function named(hub: TestHub) {
  await hub.api('project.add', { id: 'prj_one', name: 'shop' })
  await hub.api('agent.add', { id: 'agt_one', name: 'Aoi', engine: 'claude' })
  await hub.api('agent.add', { id: 'agt_two', name: 'Ken', engine: 'claude' })
  return byName(createClient({ url: hub.url, token: hub.token }))
}

test('takes a name, a number, a title and a part of an id for the id', async () => {
  await using hub = await testHub()
  const client = await named(hub)
  await client.call('project.assign', { project_id: 'shop', agent_id: 'Aoi' })
  const task = await client.call('task.add', { project_id: '1', title: 'Log in', assignee_id: 'Aoi' })
  expect(task).toMatchObject({ project_id: 'prj_one', assignee_id: 'agt_one' })
  for (const word of [
    'Log in',
    task.task_id,
    task.task_id.slice(-6),
    task.task_id.slice(0, 12),
    `tsk_${task.task_id.slice(-6)}`,
  ])
    expect(await client.call('task.show', { task_id: word })).toMatchObject({ task_id: task.task_id })
})

test('takes a key and a handle, and does not guess when the key of one project is the name of another', async () => {
  await using hub = await testHub()
  const client = byName(createClient({ url: hub.url, token: hub.token }))
  await hub.api('project.add', { id: 'prj_one', name: 'Shop of ours' })
  expect(await client.call('task.add', { project_id: 'shop', title: 'Log in' })).toMatchObject({ handle: 'shop-1' })
  expect(await client.call('task.show', { task_id: 'shop-1' })).toMatchObject({ title: 'Log in' })
  await hub.api('project.add', { id: 'prj_two', name: 'shop' })
  await expect(client.call('project.show', { project_id: 'shop' })).rejects.toMatchObject({
    text: { en: 'shop may mean several: prj_one, prj_two. Give the id of one.' },
  })
})

test('an id that is there is that one, whatever others are called', async () => {
  await using hub = await testHub()
  const client = await named(hub)
  await hub.api('agent.add', { id: 'agt_three', name: 'agt_one', engine: 'codex' })
  expect(await client.call('agent.show', { agent_id: 'agt_one' })).toMatchObject({ name: 'Aoi' })
})

test('does not guess among several, and changes nothing then', async () => {
  await using hub = await testHub()
  const client = await named(hub)
  for (const id of ['tsk_one', 'tsk_two']) await hub.api('task.add', { id, project_id: 'prj_one', title: 'Log in' })
  const sentence = (word: string, ids: string) => ({ en: `${word} may mean several: ${ids}. Give the id of one.` })
  await expect(client.call('task.move', { task_id: 'Log in', status: 'done' })).rejects.toMatchObject({
    code: 'USAGE',
    text: sentence('Log in', 'shop-1 (Log in), shop-2 (Log in)'),
  })
  await expect(client.call('agent.disable', { agent_id: 'agt_' })).rejects.toMatchObject({
    text: sentence('agt_', 'agt_one, agt_two'),
  })
  const { tasks } = await hub.api('task.list', {})
  const { agents } = await hub.api('agent.list', {})
  expect([...tasks, ...agents].map(({ status }) => status)).toEqual(['todo', 'todo', 'active', 'active'])
})

test('refuses what is not there, also where it only narrows a list', async () => {
  await using hub = await testHub()
  const client = await named(hub)
  const table: [() => Promise<unknown>, string][] = [
    [() => client.call('project.show', { project_id: 'shed' }), 'PROJECT_NOT_FOUND'],
    [() => client.call('tab.list', { project_id: 'shed' }), 'PROJECT_NOT_FOUND'],
    [() => client.call('worktree.list', { project_id: 'shed' }), 'PROJECT_NOT_FOUND'],
    [() => client.call('task.list', { assignee_id: 'Mio' }), 'AGENT_NOT_FOUND'],
    [() => client.call('run.list', { crew_id: 'grp-1' }), 'GROUP_NOT_FOUND'],
    [() => client.call('run.show', { run_id: 'run_1' }), 'RUN_NOT_FOUND'],
    [() => findTab(client, 'feature/login'), 'TAB_NOT_FOUND'],
    // Two letters of an id are a slip.
    [() => client.call('agent.show', { agent_id: 'wo' }), 'AGENT_NOT_FOUND'],
  ]
  for (const [call, code] of table) await expect(call(), code).rejects.toMatchObject({ code })
})

test('a branch names its live tab, else the last one it had', async () => {
  const tab = (tab_id: string, branch: string, created_at: string, live = false, project_id = 'p') => ({
    ...{ tab_id, branch, created_at, live, project_id },
  })
  const tabs = [
    tab('tab_1', 'fix', '2026-07-01T00:00:00Z'),
    tab('tab_2', 'fix', '2026-07-02T00:00:00Z', true),
    tab('tab_3', 'old', '2026-07-01T00:00:00Z'),
    tab('tab_5', 'old', '2026-07-03T00:00:00Z'),
    tab('tab_4', 'old', '2026-07-02T00:00:00Z'),
    tab('tab_6', 'both', '2026-07-02T00:00:00Z'),
    tab('tab_7', 'both', '2026-07-02T00:00:00Z', false, 'q'),
  ]
  const client = {
    async call(operation: string, input: { tab_id?: string; all?: boolean }) {
      if (operation === 'tab.list') return { tabs: tabs.filter(({ live }) => live || input.all) }
      const found = tabs.find(({ tab_id }) => tab_id === input.tab_id)
      if (!found) throw TabError.TAB_NOT_FOUND({ tabId: input.tab_id ?? '' })
      return found
    },
  } as unknown as Client
  const hub = byName(client)
  expect(await findTab(hub, 'fix')).toBe('tab_2')
  expect(await findTab(hub, 'old')).toBe('tab_5')
  await expect(findTab(hub, 'both')).rejects.toMatchObject({ code: 'USAGE' })
})

test('a part of a title finds the one task that has it, and names the candidates when there are several', async () => {
  await using hub = await testHub()
  const client = await named(hub)
  for (const [id, title] of [
    ['tsk_one', 'Fix the Login form'],
    ['tsk_two', 'Write the README'],
    ['tsk_three', 'Test the login'],
  ] as const)
    await hub.api('task.add', { id, project_id: 'prj_one', title })
  expect(await client.call('task.show', { task_id: 'readme' })).toMatchObject({ task_id: 'tsk_two' })
  await expect(client.call('task.show', { task_id: 'login' })).rejects.toMatchObject({
    text: { en: expect.stringMatching(/login may mean several: .*shop-1 \(Fix the Login form\)/) },
  })
  // Too short to be more than a slip.
  await expect(client.call('task.show', { task_id: 'the' })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' })
})
