import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { onBothCrews, onCrew } from '#test/crews.ts'
import { success } from '#test/scene.ts'
import { temporaryFolder, until } from '#test/scripted.ts'

type Role = { id: string; available: boolean; reason?: string; modelValidation?: object }

onBothCrews('tells which roles there are, and why one is not available', async ({ hub }) => {
  const roles = success(await hub.call('list_roles'))['roles'] as Role[]
  expect(roles.slice(0, 3)).toEqual([
    {
      id: 'worker',
      name: 'Worker',
      engine: 'scripted',
      model: 'small',
      permission: 'edit',
      available: true,
      healthCheck: { ok: true, program: process.execPath, version: '1.2.3' },
      modelValidation: { ok: true },
      toolsets: ['crews'],
    },
    {
      id: 'lost',
      name: 'lost',
      engine: 'missing',
      model: 'default',
      permission: 'edit',
      available: false,
      healthCheck: { ok: false, error: '/nowhere/at-all is not in PATH' },
      modelValidation: { ok: true },
      reason: '/nowhere/at-all is not in PATH',
    },
    {
      id: 'odd',
      name: 'odd',
      engine: 'scripted',
      model: 'huge',
      permission: 'edit',
      available: false,
      healthCheck: { ok: true, program: process.execPath, version: '1.2.3' },
      modelValidation: { ok: false, error: 'scripted does not run huge' },
      reason: 'scripted does not run huge',
    },
  ])
  expect(roles.slice(3).map(({ id }) => id)).toEqual(['planner', 'implementer', 'reviewer', 'tester', 'writer'])
})

test('the roles that everybody has take the first engine that is there, with its own model', () =>
  onCrew({ engineEnv: { PATH: '/nowhere' } }, async ({ hub, start, ended }) => {
    const roles = success(await hub.call('list_roles'))['roles'] as Role[]
    expect(roles.find(({ id }) => id === 'planner')).toMatchObject({
      engine: 'scripted',
      model: 'default',
      available: true,
    })
    const [id = ''] = await start({ role: 'reviewer', prompt: '!prompt' })
    const [state] = await ended(id)
    expect(state).toMatchObject({ status: 'completed', role: 'reviewer', model: 'default' })
    expect(state?.['result']).toMatchObject({ summary: expect.stringMatching(/^You are the reviewer of a crew/) })
  }))

test('without any engine they say so', () =>
  onCrew({ engineEnv: { PATH: '/nowhere' }, config: {} }, async ({ hub }) => {
    const roles = success(await hub.call('list_roles'))['roles'] as Role[]
    expect(roles.map(({ available }) => available)).toEqual([false, false, false, false, false])
    expect(roles[0]?.reason).toMatch(/^none of claude, codex, gemini, .* is installed$/)
  }))

onBothCrews('an engine whose quota a run found used up is not available until it comes back', async crew => {
  const { hub, start, ended } = crew
  const resets = Math.floor(Date.now() / 1000) + 7200
  const [id = ''] = await start(`!limit ${resets}\n!fail no more today`)
  expect(await ended(id)).toMatchObject([{ status: 'failed' }])
  const roles = success(await hub.call('list_roles'))['roles'] as Role[]
  const until = new Date(resets * 1000).toISOString()
  expect(roles[0]).toMatchObject({ id: 'worker', available: false, reason: expect.stringContaining(until) })
  await expect(start('say hello')).rejects.toThrow('ROLE_UNAVAILABLE')
})

test('a program that hangs holds up neither the list nor the engines beside it', () =>
  onCrew(
    {
      config: {
        roles: [
          { id: 'stuck', engine: 'hangs', model: 'default' },
          { id: 'fine', engine: 'works', model: 'x' },
        ],
        engines: HANGING,
      },
    },
    async ({ hub }) => {
      const roles = success(await hub.call('list_roles'))['roles'] as Role[]
      expect(roles.find(({ id }) => id === 'stuck')).toMatchObject({
        available: false,
        reason: 'hangs has not reported its version yet; ask again in a moment',
      })
      expect(roles.find(({ id }) => id === 'fine')).toMatchObject({ available: true })
      expect(roles.find(({ id }) => id === 'planner')).toMatchObject({ available: true, engine: 'works' })
    },
  ))

const node = process.execPath
const HANGING = {
  hangs: { headless: [node, '-e', '0'], version: [node, '-e', 'setInterval(() => {}, 1000)'], output: 'text' },
  works: { headless: [node, '-e', '0'], version: [node, '--version'], output: 'text' },
}

test('a model that no engine could be asked about is said to be unchecked', () =>
  onCrew(
    { engineEnv: { PATH: '/nowhere' }, config: { roles: [{ id: 'typo', engine: 'claude', model: 'opuss-9000' }] } },
    async ({ hub }) => {
      const roles = success(await hub.call('list_roles'))['roles'] as Role[]
      expect(roles[0]).toMatchObject({ id: 'typo', modelValidation: { ok: true, checked: false } })
    },
  ))

test('an engine that lists its models is asked: a name that it does not list is refused, one of its own is checked', async () => {
  using folder = temporaryFolder()
  const file = path.join(folder.path, 'opencode')
  const answer = '[ "$1" = models ] && printf "vendor/big\\nvendor/small\\n" || echo 1.18.0'
  fs.writeFileSync(file, `#!/bin/sh\n${answer}\n`, { mode: 0o755 })
  const roles = ['vendor/big', 'vendor/opuss-9000', 'own/local'].map((model, at) => ({
    id: `r${at}`,
    engine: 'opencode',
    model,
  }))
  await onCrew({ engineEnv: { PATH: `${folder.path}:/usr/bin:/bin` }, config: { roles } }, async ({ hub }) => {
    const listed = () => hub.call('list_roles').then(answered => success(answered)['roles'] as Role[])
    await until(async () => (await listed())[1]?.available === false)
    const [right, wrong, unknown] = await listed()
    expect(right).toMatchObject({ available: true, modelValidation: { ok: true } })
    expect(right?.modelValidation).not.toHaveProperty('checked')
    const error = 'opencode does not list the model vendor/opuss-9000; it lists vendor/big, vendor/small'
    expect(wrong).toMatchObject({ available: false, reason: error, modelValidation: { ok: false, error } })
    // A project's own configuration may add its provider.
    expect(unknown).toMatchObject({ available: true, modelValidation: { ok: true, checked: false } })
  })
})
