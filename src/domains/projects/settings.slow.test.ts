import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Yard } from '#test/git.ts'
import { databases, type TestHub, testHub } from '#test/hub.ts'
import { FOLDER_SETTINGS, rowsOf } from '#test/scene.ts'

async function refusal(hub: TestHub, operation: string, input: object): Promise<Record<string, unknown>> {
  const response = await hub.fetch(`/api/${operation}`, { method: 'POST', body: JSON.stringify(input) })
  const body = (await response.json()) as { error: Record<string, unknown> }
  expect(response.ok).toBe(false)
  return body.error
}

test.each(databases)(
  'a project in a repository has a workspace per task, others work in their folder (%s)',
  async database => {
    using yard = new Yard()
    await using hub = await testHub({ database })
    const repo = yard.repository()
    repo.write('shop/a.txt', 'a')
    repo.commit()
    const plain = join(yard.home, 'plain')
    mkdirSync(plain)

    const top = await hub.api('project.add', { id: 'top', name: 'top', directory: repo.root })
    expect(top).toMatchObject({ ...FOLDER_SETTINGS, workspace: 'task', accept: 'person' })
    const part = await hub.api('project.add', { id: 'part', name: 'part', directory: repo.at('shop') })
    expect(part).toMatchObject({ workspace: 'task', accept: 'person' })
    const chosen = { workspace: 'folder', merge: 'squash', base: 'main' } as const
    const other = await hub.api('project.add', { id: 'other', name: 'other', directory: repo.root, ...chosen })
    expect(other).toMatchObject({ ...FOLDER_SETTINGS, ...chosen })
    for (const [id, directory] of [
      ['plain', plain],
      ['nowhere', null],
      ['gone', join(yard.home, 'gone')],
    ] as const)
      expect(await hub.api('project.add', { id, name: id, directory })).toMatchObject(FOLDER_SETTINGS)
    expect(await hub.api('project.show', { project_id: 'top' })).toMatchObject({ workspace: 'task', accept: 'person' })
  },
)

test.each(databases)(
  'settings are edited one by one, and a reviewer is an agent of the project (%s)',
  async database => {
    using yard = new Yard()
    await using hub = await testHub({ database })
    const repo = yard.repository()
    repo.commit()
    repo.git('branch', 'next')
    await hub.api('agent.add', { id: 'rev', name: 'rev', engine: 'claude' })
    await hub.api('agent.add', { id: 'stranger', name: 'stranger', engine: 'claude' })
    const added = { id: 'shop', name: 'shop', directory: repo.root, accept: 'agent', reviewer_id: 'rev' } as const
    expect(await hub.api('project.add', added)).toMatchObject({
      accept: 'agent',
      reviewer_id: 'rev',
      workspace: 'task',
    })
    expect((await hub.api('project.show', { project_id: 'shop' })).agents).toEqual(['rev'])

    const before = (await rowsOf(hub, 'projects'))['projects']
    expect(await refusal(hub, 'project.edit', { project_id: 'shop', reviewer_id: 'stranger' })).toMatchObject({
      code: 'AGENT_NOT_ASSIGNED',
    })
    expect(await refusal(hub, 'project.edit', { project_id: 'shop', base: 'nowhere' })).toMatchObject({
      code: 'BASE_NOT_FOUND',
    })
    expect(await refusal(hub, 'project.edit', { project_id: 'shop', workspace: 'folder' })).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message:
        'Acceptance by agent needs a workspace for each task: use --workspace task, or --accept report or person.',
    })
    expect(await refusal(hub, 'project.edit', { project_id: 'shop', reviewer_id: null })).toMatchObject({
      message: 'Acceptance by agent needs a reviewer: name one with --reviewer.',
    })
    expect((await rowsOf(hub, 'projects'))['projects']).toEqual(before)

    const edited = await hub.api('project.edit', {
      project_id: 'shop',
      base: 'next',
      accept: 'checks',
      merge: 'squash',
    })
    expect(edited).toMatchObject({ workspace: 'task', base: 'next', accept: 'checks', merge: 'squash' })
    const back = { workspace: 'folder', accept: 'report', base: null, reviewer_id: null, merge: 'merge' } as const
    expect(await hub.api('project.edit', { project_id: 'shop', ...back })).toMatchObject(back)
  },
)

test('a workspace per task needs a repository, and a base a branch of it', async () => {
  using yard = new Yard()
  await using hub = await testHub()
  const plain = join(yard.home, 'plain')
  mkdirSync(plain)
  const repo = yard.repository()
  repo.commit()
  repo.git('tag', 'v1')
  const before = (await rowsOf(hub, 'projects'))['projects']
  const add = (more: object) => refusal(hub, 'project.add', { name: 'shop', ...more })
  expect(await add({ directory: plain, workspace: 'task' })).toMatchObject({ code: 'NOT_A_REPOSITORY' })
  expect(await add({ workspace: 'task' })).toMatchObject({ code: 'INVALID_ARGUMENT' })
  expect(await add({ directory: plain, base: 'main' })).toMatchObject({ code: 'NOT_A_REPOSITORY' })
  expect(await add({ directory: repo.root, base: 'v1' })).toMatchObject({ code: 'BASE_NOT_FOUND' })
  expect(await add({ directory: plain, accept: 'checks' })).toMatchObject({ code: 'INVALID_ARGUMENT' })
  expect(await add({ directory: repo.root, accept: 'agent' })).toMatchObject({ code: 'INVALID_ARGUMENT' })
  expect(await add({ directory: repo.root, accept: 'agent', reviewer_id: 'x' })).toMatchObject({
    code: 'AGENT_NOT_FOUND',
  })
  expect((await rowsOf(hub, 'projects'))['projects']).toEqual(before)
})
