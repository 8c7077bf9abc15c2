// The operator's settings and Toryo's entry in other programs' files, changed from the page: our bytes only, and never unseen.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databases, testHub, type TestHub } from './hub.ts'
import { eventsOf, rowsOf } from './scene.ts'
import { until } from './until.ts'

const TEXT = `{
  // how many at once
  "limits": {
    "runs": 3, /* not more: 8 GB */
    "tabs": 4
  },
  "engines": { "mine": { "headless": ["mine", "--token-of", "me"] } }, // ours
}
`

const fileOf = (hub: TestHub) => join(hub.target.home, 'config.json')
const setting = async (hub: TestHub, path: string) =>
  (await hub.api('config.show', {})).settings.find(one => one.path === path)

test.each(databases)('a value is written where it stands, comments stay, and it holds at once (%s)', async database => {
  await using hub = await testHub({ database })
  writeFileSync(fileOf(hub), TEXT, { mode: 0o600 })
  await until(async () => (await setting(hub, 'limits.runs'))?.value === 3)
  const before = await hub.api('config.show', {})
  expect(before).toMatchObject({ file: fileOf(hub), problem: null, others: [{ path: 'engines', line: 7 }] })
  expect(JSON.stringify(before)).not.toContain('token-of')
  expect(await setting(hub, 'limits.runs')).toEqual({
    ...{ path: 'limits.runs', kind: 'integer', value: 3, default: 8, line: 4, min: 1, max: 1000, choices: [] },
  })
  expect(await setting(hub, 'limits.depth')).toMatchObject({ value: 2, default: 2, line: null })
  expect(await setting(hub, 'tabs.permission')).toMatchObject({
    kind: 'choice',
    choices: ['own', 'read', 'edit', 'full'],
  })

  const wish = { path: 'limits.runs', value: 5, base_hash: before.hash }
  const after = await hub.api('config.edit', wish)
  expect(readFileSync(fileOf(hub), 'utf8')).toBe(TEXT.replace('"runs": 3', '"runs": 5'))
  expect(statSync(fileOf(hub)).mode & 0o777).toBe(0o600)
  expect(after.settings.find(({ path }) => path === 'limits.runs')).toMatchObject({ value: 5, line: 4 })
  // Sent again because its answer was lost: nothing happens twice.
  await hub.api('config.edit', wish)
  expect(
    eventsOf(await rowsOf(hub, 'events'), 'config.changed').filter(({ paths }) => String(paths) === 'limits.runs'),
  ).toHaveLength(1)

  const out = await hub.api('config.edit', { path: 'limits.tabs', value: null, base_hash: after.hash })
  expect(out.settings.find(({ path }) => path === 'limits.tabs')).toMatchObject({ value: 8, line: null })
  expect(readFileSync(fileOf(hub), 'utf8')).toContain('/* not more: 8 GB */')
})

test.each(databases)(
  'without a file one is made, and a file that changed meanwhile is not written over (%s)',
  async database => {
    await using hub = await testHub({ database })
    expect(existsSync(fileOf(hub))).toBe(false)
    const { hash } = await hub.api('config.show', {})
    expect(hash).toBe('')
    const made = await hub.api('config.edit', { path: 'name', value: 'Aoi 葵', base_hash: hash })
    expect(JSON.parse(readFileSync(fileOf(hub), 'utf8'))).toEqual({ name: 'Aoi 葵' })
    writeFileSync(fileOf(hub), '{ "name": "Ren" }\n')
    const refused = hub.api('config.edit', { path: 'limits.runs', value: 2, base_hash: made.hash })
    await expect(refused).rejects.toThrow('CONFIG_CHANGED')
    expect(readFileSync(fileOf(hub), 'utf8')).toBe('{ "name": "Ren" }\n')
    await until(async () => eventsOf(await rowsOf(hub, 'events'), 'config.changed').length === 2)
  },
)

test('what the hub would not read, what runs programs, and a broken file are left alone', async () => {
  await using hub = await testHub({ config: { limits: { runs: 3 } } })
  const text = readFileSync(fileOf(hub), 'utf8')
  const { hash: base_hash } = await hub.api('config.show', {})
  for (const [path, value, code] of [
    ['limits.runs', 0, 'SETTING_REFUSED'],
    ['limits.runs', 'many', 'SETTING_REFUSED'],
    ['tabs.permission', 'root', 'SETTING_REFUSED'],
    ['engines.mine.headless', 'sh', 'SETTING_NOT_EDITABLE'],
    ['worktrees.setup', 'sh', 'SETTING_NOT_EDITABLE'],
    ['db', 'postgres://elsewhere', 'SETTING_NOT_EDITABLE'],
    ['__proto__.x', 1, 'SETTING_NOT_EDITABLE'],
  ] as const)
    await expect(hub.api('config.edit', { path, value, base_hash }), path).rejects.toThrow(code)
  expect(readFileSync(fileOf(hub), 'utf8')).toBe(text)
  writeFileSync(fileOf(hub), '{ "limits": ')
  await until(async () => (await hub.api('config.show', {})).problem !== null)
  const { hash, settings } = await hub.api('config.show', {})
  expect(settings.find(({ path }) => path === 'limits.runs')).toMatchObject({ value: 3 })
  await expect(hub.api('config.edit', { path: 'limits.runs', value: 4, base_hash: hash })).rejects.toThrow(
    'CONFIG_UNUSABLE',
  )
  expect(eventsOf(await rowsOf(hub, 'events'), 'config.changed')).toEqual([])
})

test('a value of the wrong type is taken out, not taken for one that is missing', async () => {
  await using hub = await testHub({ config: { limits: { runs: 3 } } })
  writeFileSync(fileOf(hub), '{ "limits": { "runs": true, "tabs": 4 } }\n')
  await until(async () => (await hub.api('config.show', {})).problem !== null)
  const { hash } = await hub.api('config.show', {})
  const after = await hub.api('config.edit', { path: 'limits.runs', value: null, base_hash: hash })
  expect(JSON.parse(readFileSync(fileOf(hub), 'utf8'))).toEqual({ limits: { tabs: 4 } })
  expect(after.problem).toBeNull()
})

test('a config.json that leads to a device or a pipe is a problem that is shown, and holds nothing up', async () => {
  await using hub = await testHub({ config: { limits: { runs: 3 } } })
  rmSync(fileOf(hub))
  symlinkSync('/dev/zero', fileOf(hub))
  await until(async () => (await hub.api('config.show', {})).problem?.includes('regular file'))
  expect(await setting(hub, 'limits.runs')).toMatchObject({ value: 3, line: null })
  const { hash } = await hub.api('config.show', {})
  await expect(hub.api('config.edit', { path: 'limits.runs', value: 4, base_hash: hash })).rejects.toThrow(
    'CONFIG_UNUSABLE',
  )
})

test.each(databases)('our entry is put in and taken out exactly as it was shown (%s)', async database => {
  const home = mkdtempSync(join(tmpdir(), 'toryo-entry-'))
  try {
    const file = join(home, '.codex', 'config.toml')
    mkdirSync(join(home, '.codex'))
    writeFileSync(file, '# mine\nmodel = "best"\n')
    await using hub = await testHub({ database, engineEnv: { HOME: home, PATH: process.env['PATH'] } })
    const shown = async () => (await hub.api('registration.list', {})).files.find(({ engine }) => engine === 'codex')
    const first = await shown()
    expect(first).toMatchObject({ state: 'added', removal: null })
    const enter = { file, action: 'enter' as const, diff: first?.diff ?? '' }
    writeFileSync(file, '# mine\nmodel = "better"\n\n')
    await expect(hub.api('registration.apply', enter)).rejects.toThrow('REGISTRATION_CHANGED')
    expect(readFileSync(file, 'utf8')).toBe('# mine\nmodel = "better"\n\n')
    expect(await hub.api('registration.apply', { ...enter, diff: (await shown())?.diff ?? '' })).toMatchObject({
      state: 'added',
      warning: false,
    })
    expect(readFileSync(file, 'utf8')).toMatch(/^# mine\nmodel = "better"\n\n[^]*\[mcp_servers\.gwt-agent-bridge\]/)
    const entered = await shown()
    expect(entered?.state).toBe('present')
    expect(entered?.removal).toContain('- [mcp_servers.gwt-agent-bridge]')
    const out = { file, action: 'take_out' as const, diff: entered?.removal ?? '' }
    expect(await hub.api('registration.apply', out)).toMatchObject({ state: 'removed' })
    expect(readFileSync(file, 'utf8')).toBe('# mine\nmodel = "better"\n\n')
    await expect(
      hub.api('registration.apply', { file: join(home, '.bashrc'), action: 'enter', diff: '' }),
    ).rejects.toThrow('REGISTRATION_NOT_FOUND')
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})

test('only the operator may look at settings and change them', async () => {
  await using hub = await testHub()
  const { token } = await hub.api('runner.add', { name: 'attic' })
  for (const [operation, input] of [
    ['config.show', {}],
    ['config.edit', { path: 'limits.runs', value: 900, base_hash: '' }],
    ['registration.apply', { file: '/x', action: 'enter', diff: '' }],
  ] as const) {
    const response = await fetch(`${hub.url}/api/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    expect(response.status, operation).toBe(403)
  }
  expect(existsSync(fileOf(hub))).toBe(false)
})
