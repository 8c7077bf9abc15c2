// Tasks that are deleted and restored, merges that are undone, and workspaces that are opened, as people do it at a command line.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '#cli/run.ts'
import type { Lang } from '#contract/errors.ts'
import { fakeIo } from './fake-io.ts'
import type { TestHub } from './hub.ts'
import { launch, TabShop } from './tabs.ts'
import { inShop, put, reached, report, type Shop } from './thread.ts'
import { Toryo } from './toryo.ts'
import { until } from './until.ts'

const ja = { env: { TORYO_LANG: 'ja' } }
const task_id = 'tsk_cart'

test('a task is deleted, listed as deleted and restored, in both languages', async () => {
  await using toryo = new Toryo()
  await toryo.json('project', 'add', 'Shop')
  for (const title of ['Paint the roof', '屋根を塗る']) await toryo.json('task', 'add', title, '--project', 'shop')
  expect(await toryo.here(['task', 'delete', 'shop-1'])).toMatchObject({
    code: 0,
    out: 'Deleted shop-1 Paint the roof. It is kept for 30 days: `toryo task restore shop-1` brings it back.\n',
  })
  expect((await toryo.here(['task', 'delete', 'shop-2'], ja)).out).toBe(
    'shop-2 屋根を塗る を削除しました。30 日間は `toryo task restore shop-2` で元に戻せます。\n',
  )
  expect((await toryo.here(['task', 'list', '--project', 'shop'])).out).not.toContain('shop-')
  const deleted = await toryo.here(['task', 'list', '--deleted', '--project', 'shop'])
  expect(deleted.out).toMatch(/shop-\d +\S.* cancelled/)
  expect(['shop-1', 'shop-2'].filter(handle => deleted.out.includes(handle))).toHaveLength(2)
  const { tasks } = await toryo.json<{ tasks: { handle: string }[] }>('task', 'list', '--deleted')
  expect(tasks.map(({ handle }) => handle).toSorted()).toEqual(['shop-1', 'shop-2'])
  // Nothing else is done with it.
  const refused = await toryo.here(['task', 'move', 'shop-1', 'todo'])
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('toryo task restore shop-1') })
  expect((await toryo.here(['task', 'move', 'shop-1', 'todo'], ja)).err).toContain('toryo task restore shop-1')

  const restored = await toryo.here(['task', 'restore', 'shop-1'])
  expect(restored).toEqual({
    code: 0,
    out: 'Restored shop-1 Paint the roof. It is cancelled.\n',
    err: '`toryo task move shop-1 todo` reopens it.\n',
  })
  expect(await toryo.json('task', 'restore', 'shop-2')).toMatchObject({ handle: 'shop-2', status: 'cancelled' })
  const again = await toryo.here(['task', 'restore', 'shop-2'], ja)
  expect(again.out).toContain('shop-2 屋根を塗る を復元しました。')
  expect(again.err).toContain('`toryo task move shop-2 todo` で再開できます。')
  expect((await toryo.here(['task', 'list', '--deleted'])).err).toBe('No tasks match.\n')
  expect((await toryo.here(['task', 'list', '--deleted'], ja)).err).toBe('条件に合うタスクはありません。\n')
  expect(await toryo.json('task', 'delete', 'shop-2')).toMatchObject({ status: 'cancelled', handle: 'shop-2' })
  for (const word of ['delete', 'restore'])
    expect(await toryo.here(['task', word, 'shop-9'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('shop-9'),
    })
})

type Given = { lang?: Lang; env?: Record<string, string> }

/** The program at this hub, in this process. */
async function at({ url, token, target }: TestHub, line: string, { lang = 'en', env = {} }: Given = {}) {
  const file = join(target.home, 'token-of-a-person')
  writeFileSync(file, token, { mode: 0o600 })
  const io = fakeIo({ lang, env: { HOME: target.home, PATH: process.env['PATH'], ...env }, cwd: target.home })
  const words = [...line.split(' '), '--url', url, '--token-file', file]
  const code = await runCli(words, io, { hubProgram: '/nowhere/hub.js', version: '0' })
  return { code, out: io.out(), err: io.err() }
}

async function merged(shop: Shop): Promise<void> {
  put(shop.path, 'cart.ts', 'export const one = 1\n')
  await report(shop)
  await reached(shop.hub, 'review')
  await shop.hub.api('task.verdict', { task_id, decision: 'accept' })
  await reached(shop.hub, 'merged')
}

test('a merge is undone and brought back; one that cannot be is said in the inbox, in both languages', async () => {
  await inShop({}, async shop => {
    const { hub, repo } = shop
    const undo = 'task undo-merge shop-1'
    expect(await at(hub, undo)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('shop-1') })
    await merged(shop)
    const asked = await at(hub, `${undo} --json`)
    expect(JSON.parse(asked.out)).toMatchObject({ merge: { kind: 'undo', handle: 'shop-1' } })
    await reached(hub, 'planned')
    expect(repo.git('ls-tree', '--name-only', 'main')).not.toContain('cart.ts')
    expect((await at(hub, undo, { lang: 'ja' })).out).toMatch(
      /^shop-1 のマージは main ですでに取り消されています \([0-9a-f]{10}\)。\n$/,
    )
    expect((await at(hub, `${undo} --redo`, { lang: 'ja' })).out).toContain(
      'main に shop-1 のマージを戻します (キューの 1 番目)',
    )
    await reached(hub, 'merged')
    expect((await at(hub, `${undo} --redo`)).out).toMatch(
      /^The merge of shop-1 is back in main already \([0-9a-f]{10}\)\.\n$/,
    )

    repo.write('cart.ts', 'export const one = 2\n')
    repo.commit('by hand')
    const tip = repo.git('rev-parse', 'main')
    expect(await at(hub, undo)).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        'Taking the merge of shop-1 out of main: number 1 in its queue. `toryo queue` shows how far it is.',
      ),
    })
    await until(async () => (await hub.api('inbox.list', {})).items.some(({ kind }) => kind === 'undo_failed'))
    const english = (await at(hub, 'inbox')).out
    const japanese = (await at(hub, 'inbox', { lang: 'ja' })).out
    expect(english).toMatch(/^not undone {2}shop-1 Build the cart\n/)
    expect(english.replaceAll(/\n +/g, ' ')).toMatch(
      /Its merge \([0-9a-f]{9}\) was not taken out of main: it has changed since in cart\.ts\. main is as it was\. Undo it manually \(`git revert`\), or leave it\./,
    )
    expect(english).toContain('→ toryo task undo-merge shop-1')
    expect(japanese).toMatch(/^取り消し失敗 {2}shop-1 Build the cart\n/)
    expect(japanese.replaceAll(/\s/g, '')).toMatch(
      /マージ\([0-9a-f]{9}\)をmainから取り消せませんでした。その後の変更と競合しています:cart\.ts。mainは変わっていません。/,
    )
    expect(repo.git('rev-parse', 'main')).toBe(tip)
  })
})

test('a workspace is opened in the editor of the person, whose exit code is passed on', async () => {
  await inShop({}, async shop => {
    const { hub, yard, path } = shop
    const log = join(yard.home, 'opened')
    const editor = (code: number) => `f() { printf '%s' "$2" > '${log}'; return ${code}; }; f --wait`
    const open = 'task open shop-1'
    // VISUAL before EDITOR.
    expect(await at(hub, open, { env: { VISUAL: editor(7), EDITOR: 'false' } })).toEqual({ code: 7, out: '', err: '' })
    expect(readFileSync(log, 'utf8')).toBe(path)
    expect(await at(hub, open, { env: { EDITOR: editor(0) } })).toMatchObject({ code: 0 })
    const unnamed = await at(hub, open)
    expect(unnamed).toMatchObject({ code: 2, err: expect.stringContaining("`export VISUAL='code --wait'`") })
    expect((await at(hub, open, { lang: 'ja' })).err).toContain('エディターが指定されていません。')
    expect((await at(hub, 'task show shop-1')).out).toMatch(/open in editor +toryo task open shop-1\n/)

    const env = { EDITOR: 'true' }
    await hub.api('task.add', { project_id: 'prj_shop', title: 'Later' })
    const none = await at(hub, 'task open shop-2', { env })
    expect(none.code).toBe(1)
    expect(none.err).toContain('shop-2 has no workspace yet; `toryo task start shop-2` makes one.')
    renameSync(path, `${path}-away`)
    expect((await at(hub, open, { env })).err).toContain(`The workspace of shop-1 is not on this machine: ${path}.`)
    expect((await at(hub, open, { env, lang: 'ja' })).err).toContain('このマシンにありません')
    renameSync(`${path}-away`, path)
    await merged(shop)
    await until(async () => (await hub.api('task.show', { task_id })).workspace?.released)
    const gone = await at(hub, open, { env })
    expect(gone).toMatchObject({ code: 1 })
    expect(gone.err).toMatch(/is in the trash; `toryo tab restore \S+` brings it back/)
  })
})

test('the worktree of a tab is opened as well', async () => {
  await using shop = new TabShop({})
  const hub = await shop.hub()
  const id = await launch(hub, 'feature/one')
  const { worktree_path: path } = await hub.api('tab.show', { tab_id: id })
  const log = join(shop.home, 'opened')
  const env = { VISUAL: `f() { printf '%s' "$1" > '${log}'; return 3; }; f` }
  expect(await at(hub, 'tab open feature/one', { env })).toEqual({ code: 3, out: '', err: '' })
  expect(readFileSync(log, 'utf8')).toBe(path)
  expect((await at(hub, `tab show ${id}`)).out).toMatch(new RegExp(`open in editor +toryo tab open ${id}\\n`))
  expect(await at(hub, 'tab open feature/one')).toMatchObject({ code: 2 })
})
