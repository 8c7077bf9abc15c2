// How many tabs, how fast, how deep: in the transaction that makes the tab, and still there after a restart (FR-016, T28).
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { databases, TestClock, type TestHub } from '#test/hub.ts'
import { until } from '#test/bridge/world.ts'
import { HEAVY } from '#test/processes.ts'
import { rowsOf } from '#test/scene.ts'
import { answer, git, launch, TabShop } from '#test/tabs.ts'

const refusal = async (hub: TestHub, branch: string, args: Record<string, unknown> = {}) => {
  const { body, isError } = await hub.call('gwt_launch_agent', {
    agent_id: 'tui',
    branch,
    project_id: 'prj_tabs',
    ...args,
  })
  return isError ? body['code'] : 'launched'
}
const count = async (hub: TestHub) =>
  ((await hub.call('gwt_list_tabs')).result['structuredContent'] as { tabs: unknown[] }).tabs.length

test.each(databases)('the tab after the last one is refused, until another has ended (%s)', async database => {
  await using shop = new TabShop({ database, limits: { tabs: 2 } })
  const hub = await shop.hub()
  const [one] = [await launch(hub, 'one'), await launch(hub, 'two')]
  const { body } = await hub.call('gwt_launch_agent', { agent_id: 'tui', branch: 'three', project_id: 'prj_tabs' })
  expect(body).toEqual({
    error: true,
    code: 'TAB_LIMIT_REACHED',
    message: 'The limit of 2 tabs is reached; stop one with gwt_stop_tab.',
  })
  expect((await rowsOf(hub, 'tabs'))['tabs']).toHaveLength(2)
  answer(await hub.call('gwt_stop_tab', { tab_id: one }))
  expect(await refusal(hub, 'three')).toBe('launched')
})

test.each(databases)(
  'the fifth launch in a minute is refused, refused ones do not count, and a restart changes nothing (%s)',
  async database => {
    const clock = new TestClock()
    await using shop = new TabShop({ database, limits: { launchesPerMinute: 4 }, hub: { clock } })
    const hub = await shop.hub()
    for (const branch of ['a', 'b']) {
      await launch(hub, branch)
      clock.advance(10_000)
    }
    // None of these was a launch.
    expect(await refusal(hub, 'a')).toBe('WORKTREE_IN_USE')
    expect(await refusal(hub, '-x')).toBe('INVALID_BRANCH')
    expect(await refusal(hub, 'c', { agent_id: 'nobody' })).toBe('ENGINE_NOT_FOUND')
    for (const branch of ['c', 'd']) await launch(hub, branch)
    expect(await refusal(hub, 'e')).toBe('RATE_LIMITED')
    clock.advance(39_000)
    expect(await refusal(hub, 'e')).toBe('RATE_LIMITED')
    await hub.stop()
    const next = await shop.hub()
    expect(await count(next)).toBe(0)
    const { body } = await next.call('gwt_launch_agent', { agent_id: 'tui', branch: 'e', project_id: 'prj_tabs' })
    expect(body).toEqual({
      error: true,
      code: 'RATE_LIMITED',
      message: 'At most 4 tabs are launched in a minute; try again in 1 s.',
    })
    clock.jump(-7_200_000)
    clock.advance(1000)
    expect(await refusal(next, 'e')).toBe('launched')
    // The window slides: the second launch is not a minute old yet.
    expect(await refusal(next, 'f')).toBe('RATE_LIMITED')
    clock.advance(10_000)
    expect(await refusal(next, 'f')).toBe('launched')
  },
)

test.each(databases)(
  'one that is refused only once its worktree is there was no launch either (%s)',
  async database => {
    await using shop = new TabShop({ database, limits: { launchesPerMinute: 1 }, files: { '.mcp.json': '{}' } })
    git(shop.repository, 'checkout', '-q', '-b', 'evil')
    fs.writeFileSync(path.join(shop.repository, '.mcp.json'), '{"mcpServers":{}}')
    git(shop.repository, 'commit', '-q', '-am', 'evil')
    git(shop.repository, 'checkout', '-q', 'main')
    const hub = await shop.hub()
    for (let n = 0; n < 3; n++) expect(await refusal(hub, 'evil')).toBe('TRUST_REQUIRED')
    expect(await refusal(hub, 'a')).toBe('launched')
    expect(await refusal(hub, 'b')).toBe('RATE_LIMITED')
  },
)

test.each(databases)(
  'of twenty launches at the same time as many come through as there is room (%s)',
  HEAVY,
  async database => {
    await using shop = new TabShop({ database, limits: { tabs: 3 } })
    const hub = await shop.hub()
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => refusal(hub, `p${n}`)))
    expect(all.filter(result => result === 'launched')).toHaveLength(3)
    expect(all.filter(result => result === 'TAB_LIMIT_REACHED')).toHaveLength(17)
    expect(await count(hub)).toBe(3)
  },
)

test('T28: agents that launch agents are stopped by number and depth, whatever they try', HEAVY, async () => {
  await using shop = new TabShop({ limits: { tabs: 5 } })
  const hub = await shop.hub()
  const nested = (depth: number): string =>
    depth === 0
      ? '!call gwt_list_tabs {}'
      : `!call gwt_launch_agent ${JSON.stringify({ agent_id: 'tui', branch: `bomb-${depth}`, prompt: nested(depth - 1) })}`
  await launch(hub, 'root-1', { prompt: nested(4) })
  // Its own have their turn first: afterwards there is no room for them.
  await until(() => {
    const calls = fs.readdirSync(shop.notes).filter(name => name.endsWith('.calls'))
    return calls.some(name => fs.readFileSync(path.join(shop.notes, name), 'utf8').includes('TAB_DEPTH_REACHED'))
  })
  const codes: string[] = []
  for (const branch of ['root-2', 'root-3', 'root-4', 'root-5']) codes.push(String(await refusal(hub, branch)))
  expect(await count(hub)).toBeLessThanOrEqual(5)
  const depths = ((await rowsOf(hub, 'tabs'))['tabs'] ?? []).map(row => row['depth'])
  expect(Math.max(...depths.map(Number))).toBe(2)
  expect(codes).toContain('TAB_LIMIT_REACHED')
})
