import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databases, testHub } from '#test/hub.ts'

test.each(databases)('folders are listed by name alone, with who has them already (%s)', async database => {
  await using hub = await testHub({ database })
  const top = join(hub.home, 'code')
  for (const name of ['shop 10', 'shop 2', '.hidden', '店']) mkdirSync(join(top, name), { recursive: true })
  writeFileSync(join(top, 'secret.txt'), 'not listed')
  symlinkSync(join(top, 'shop 2'), join(top, 'link'))
  symlinkSync(join(top, 'secret.txt'), join(top, 'to a file'))
  const { project_id } = await hub.api('project.add', { name: 'shop', directory: join(top, 'shop 2') })

  const listed = await hub.api('directory.list', { path: `${top}/shop 2/..` })
  expect(listed).toEqual({
    ...{ path: top, parent: hub.home, folders: ['link', 'shop 2', 'shop 10', '店'] },
    ...{ is_cut: false, is_wide: false, is_repository: false, project: null },
  })
  expect((await hub.api('directory.list', { path: top, hidden: true })).folders).toContain('.hidden')
  expect(await hub.api('directory.list', { path: join(top, 'link') })).toMatchObject({ project: { project_id } })
  expect(await hub.api('directory.list', { path: '/' })).toMatchObject({ path: '/', parent: null, is_wide: true })
})

test('without a path it is the home folder of the hub, and a list of many is cut', async () => {
  await using outer = await testHub()
  const folder = join(outer.home, 'many')
  for (let count = 0; count <= 500; count++) mkdirSync(join(folder, `f${count}`), { recursive: true })
  await using hub = await testHub({ engineEnv: { HOME: folder } })
  const listed = await hub.api('directory.list', {})
  expect(listed).toMatchObject({ path: folder, is_cut: true, is_wide: true })
  expect(listed.folders).toHaveLength(500)
})

test('a file, a folder that is not there and a relative path are refused with what to do', async () => {
  await using hub = await testHub()
  writeFileSync(join(hub.home, 'notes.txt'), '')
  const refused = async (path: string) =>
    (
      (await (await hub.fetch('/api/directory.list', { method: 'POST', body: JSON.stringify({ path }) })).json()) as {
        error: { code: string; message: string }
      }
    ).error
  expect(await refused('code')).toMatchObject({ code: 'INVALID_ARGUMENT' })
  expect((await refused(join(hub.home, 'notes.txt'))).message).toContain('is a file')
  expect((await refused(join(hub.home, 'none'))).message).toContain('not found')
})
