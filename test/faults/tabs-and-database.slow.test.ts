// The database fails or dawdles at the worst moment of a tab's life: no tab is forgotten, and no program runs on without one.
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { until } from '../bridge/world.ts'
import type { TestHub } from '../hub.ts'
import { HEAVY } from '../processes.ts'
import { answer, becomes, launch, TabShop } from '../tabs.ts'

/** What the database does when a row of `tabs` changes as told, until it is called off. */
async function disturb(shop: TabShop, when: string, what: string): Promise<() => Promise<void>> {
  await query(
    shop,
    `create or replace function disturb() returns trigger as $$ begin ${what}; return new; end $$ language plpgsql`,
  )
  await query(
    shop,
    `create trigger disturb before update on tabs for each row when (${when}) execute function disturb()`,
  )
  return () => query(shop, 'drop trigger disturb on tabs').then(() => {})
}

const REFUSES = "raise exception 'out of order'"
const DAWDLES = 'perform pg_sleep(3)'
const dawdles = (shop: TabShop) => until(async () => (await query(shop, ASLEEP)).length > 0)
const ASLEEP = "select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()"

async function query(shop: TabShop, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: shop.target.db })
  await client.connect()
  try {
    return (await client.query(statement)).rows as unknown[]
  } finally {
    await client.end()
  }
}

const logged = (hub: TestHub, text: string) => fs.readFileSync(path.join(hub.home, 'hub.log'), 'utf8').includes(text)

test('a tab whose end cannot be written down ends as soon as it can', HEAVY, async () => {
  await using shop = new TabShop({ database: 'postgres', limits: { tabs: 1 } })
  const hub = await shop.hub()
  const tab = await launch(hub, 'work')
  await becomes(hub, tab, 'idle')
  const callOff = await disturb(shop, 'new.ended_at is not null', REFUSES)
  process.kill(shop.pidOf(tab), 'SIGKILL')
  await until(() => logged(hub, 'a tab could not be looked after'))
  await callOff()
  await becomes(hub, tab, 'exited')
  // Its place is free.
  await launch(hub, 'work')
})

test('a program whose start cannot be written down does not run on', HEAVY, async () => {
  await using shop = new TabShop({ database: 'postgres' })
  const hub = await shop.hub()
  const callOff = await disturb(shop, 'new.opened_at is not null and old.opened_at is null', REFUSES)
  await expect(launch(hub, 'work')).rejects.toThrow('LAUNCH_FAILED')
  await callOff()
  const { tabs } = await hub.api('tab.list', { all: true })
  expect(tabs).toMatchObject([{ status: 'exited', end_reason: 'failed' }])
  expect((await hub.running.hub.terminals.list()).filter(({ exit }) => !exit)).toEqual([])
  await expect.poll(() => hub.running.hub.keeper.size).toBe(0)
})

test('a tab that ends while the next hub adopts it is kept by nobody', HEAVY, async () => {
  await using shop = new TabShop({ database: 'postgres' })
  const first = await shop.hub()
  const tab = await launch(first, 'work')
  await becomes(first, tab, 'idle')
  await first.running.stop(true)
  const callOff = await disturb(shop, 'new.ended_at is null', DAWDLES)
  const starting = shop.hub()
  await dawdles(shop)
  process.kill(shop.pidOf(tab), 'SIGKILL')
  const hub = await starting
  await callOff()
  await becomes(hub, tab, 'exited')
  await until(() => hub.running.hub.keeper.size === 0)
})

test('a tab that is just being launched when another hub takes over is launched by that one', HEAVY, async () => {
  await using shop = new TabShop({ database: 'postgres' })
  const first = await shop.hub()
  const callOff = await disturb(shop, 'new.worktree_path is not null and old.worktree_path is null', DAWDLES)
  const launching = launch(first, 'work', { prompt: 'begin' }).catch(() => undefined)
  await dawdles(shop)
  await first.running.stop(true)
  await launching
  await callOff()
  const hub = await shop.hub()
  const { tabs } = await hub.api('tab.list', {})
  const tab = tabs[0]?.tab_id ?? ''
  await until(() => shop.lines(tab).length > 0)
  expect(shop.lines(tab)).toEqual(['begin'])
  answer(await hub.call('gwt_stop_tab', { tab_id: tab }))
})
