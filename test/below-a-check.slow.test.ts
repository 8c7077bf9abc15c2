// What a check or a setup starts can read the hub's token like every program of the user, and is still refused.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databases } from './hub.ts'
import { inShop, put, report, type Shop } from './thread.ts'
import { until } from './until.ts'

/** A command that leaves a process behind, without a mark and without a parent, which shows the hub's token. */
function knocking(
  { hub, yard }: Pick<Shop, 'hub' | 'yard'>,
  by = '',
): { command: string[]; heard: () => Promise<string> } {
  const program = join(yard.home, 'knock.mjs')
  const answer = join(yard.home, 'answer')
  const { token } = hub.running as unknown as { token: string }
  writeFileSync(
    program,
    `import { renameSync, writeFileSync } from 'node:fs'
const headers = { authorization: 'Bearer ${token}', 'content-type': 'application/json' }
const response = await fetch('${hub.url}/api/hub.whoami', { method: 'POST', headers, body: '{}' })
writeFileSync('${answer}.new', response.status + ' ' + (await response.text()))
renameSync('${answer}.new', '${answer}')`,
  )
  const script = `(env -i ${by} ${process.execPath} ${program} &); while ! [ -e ${answer} ]; do sleep 0.1; done`
  const heard = async () => {
    await until(() => existsSync(answer))
    return readFileSync(answer, 'utf8')
  }
  return { command: ['sh', '-c', script], heard }
}

test.each(databases)('what a check leaves behind is refused with the token of the hub (%s)', async database => {
  await inShop({ database }, async shop => {
    const { command, heard } = knocking(shop)
    await shop.hub.api('project.check.add', { project_id: 'prj_shop', name: 'test', command })
    put(shop.path, 'cart', 'one')
    await report(shop)
    expect(await heard()).toMatch(/^403 .*NOT_ALLOWED.*This process was started by a check/)
  })
})

test('so is what has left its session, too', async () => {
  await inShop({}, async shop => {
    const { command, heard } = knocking(shop, 'setsid')
    await shop.hub.api('project.check.add', { project_id: 'prj_shop', name: 'test', command })
    put(shop.path, 'cart', 'one')
    await report(shop)
    expect(await heard()).toMatch(/^403 .*NOT_ALLOWED.*This process was started by a check/)
  })
})

test.each(databases)('so is what the setup of a worktree leaves behind (%s)', async database => {
  await inShop({ database }, async shop => {
    const { hub, repo } = shop
    const { command, heard } = knocking(shop)
    repo.write('.toryo/config.json', JSON.stringify({ worktrees: { setup: command } }))
    repo.commit()
    await hub.api('worktree.setup.trust', { project_id: 'prj_shop' })
    const { worktree_id } = await hub.api('worktree.ensure', { project_id: 'prj_shop', branch: 'feature' })
    await hub.api('worktree.setup', { worktree_id })
    expect(await heard()).toMatch(/^403 .*NOT_ALLOWED.*This process was started by the setup of a worktree/)
  })
})
