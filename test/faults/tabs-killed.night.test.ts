// A hub that is killed in the middle of a tab's life: the next one adopts what runs and clears away the rest (T42).
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readState } from '#client/state-file.ts'
import { bundleFile } from '../../scripts/bundle-file.js'
import { DIST } from '../../scripts/sources.js'
import { until } from '../bridge/world.ts'
import type { TestHub } from '../hub.ts'
import { HEAVY, post } from '../processes.ts'
import { rowsOf } from '../scene.ts'
import { isRunning } from '../scripted.ts'
import { answer, becomes, launch, TabShop } from '../tabs.ts'

/** A hub process of its own, which dies at the step; answers how to call it, and when it is dead. */
async function dyingHub(shop: TabShop, program: string, step: string) {
  const target = shop.target
  const child = spawn(process.execPath, [program, target.db, step, DIST], {
    env: { PATH: process.env['PATH'], HOME: shop.home, TORYO_HOME: target.home },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const dead = new Promise<NodeJS.Signals | null>(resolve => child.on('exit', (_, signal) => resolve(signal)))
  const state = await until(() => {
    const found = readState(target)
    return found?.pid === child.pid && found
  })
  return { dead, call: (operation: string, input: object) => post(state, operation, input).catch(() => undefined) }
}

function hostOf(shop: TabShop): number {
  const files = fs.readdirSync(path.join(shop.target.home, 'pty'))
  const host = path.join(shop.target.home, 'pty', String(files[0]), 'host.json')
  return (JSON.parse(fs.readFileSync(host, 'utf8')) as { record: { pid: number } }).record.pid
}

async function onlyTab(hub: TestHub): Promise<string> {
  const { tabs } = await hub.api('tab.list', {})
  expect(tabs).toHaveLength(1)
  return tabs[0]?.tab_id ?? ''
}

describe.runIf(process.platform === 'linux')('a hub that is killed', () => {
  test.each(['created', 'prepared', 'planned', 'started', 'opened', 'pasted', 'typed'])(
    'while it launches a tab, just after it was %s, leaves one tab that runs once and hears its prompt once',
    async step => {
      await using shop = new TabShop({ limits: { tabs: 1 } })
      await shop.prepare()
      const dying = await dyingHub(shop, await bundleFile('test/fixtures/tab-hub-that-dies.ts'), step)
      const input = { engine: 'tui', branch: 'work', project_id: shop.projectId, prompt: 'begin' }
      void dying.call('tab.launch', input)
      expect(await dying.dead).toBe('SIGKILL')
      const hub = await shop.hub()
      const tab = await onlyTab(hub)
      await becomes(hub, tab, 'idle')
      await until(async () => answer(await hub.call('gwt_get_tab_info', { tab_id: tab }))['queued_messages'] === 0)
      // Typed is not read yet.
      await until(() => shop.lines(tab).length > 0)
      // Not a second process, not a second prompt.
      expect(shop.notesOf(tab, 'start')).toHaveLength(1)
      expect(shop.lines(tab)).toEqual(['begin'])
      expect(isRunning(shop.pidOf(tab))).toBe(true)
      // Its place is taken, once.
      await expect(launch(hub, 'another')).rejects.toThrow('TAB_LIMIT_REACHED')
      answer(await hub.call('gwt_stop_tab', { tab_id: tab }))
      expect(isRunning(shop.pidOf(tab))).toBe(false)
      await launch(hub, 'another')
    },
    HEAVY.timeout,
  )

  test('while it ends a tab leaves none', HEAVY, async () => {
    await using shop = new TabShop()
    await shop.prepare()
    const dying = await dyingHub(shop, await bundleFile('test/fixtures/tab-hub-that-dies.ts'), 'ended')
    const launched = await dying.call('tab.launch', { engine: 'tui', branch: 'work', project_id: shop.projectId })
    const tab = String(launched?.body['tab_id'])
    await until(() => shop.notesOf(tab, 'start').length === 1)
    void dying.call('tab.stop', { tab_id: tab })
    expect(await dying.dead).toBe('SIGKILL')
    const hub = await shop.hub()
    expect((await hub.api('tab.show', { tab_id: tab })).end_reason).toBe('stopped')
    expect(isRunning(shop.pidOf(tab))).toBe(false)
  })

  test(
    'with tabs at work: they go on, their screens are there, and what waits for them is delivered',
    HEAVY,
    async () => {
      await using shop = new TabShop()
      await shop.prepare()
      const dying = await dyingHub(shop, await bundleFile('test/fixtures/tab-hub-that-dies.ts'), 'ended')
      const tabs: string[] = []
      for (const branch of ['a', 'b', 'c']) {
        const input = { engine: 'tui', branch, project_id: shop.projectId, prompt: `I am ${branch}` }
        tabs.push(String((await dying.call('tab.launch', input))?.body['tab_id']))
      }
      const [a = '', b = '', c = ''] = tabs
      await until(() => tabs.every(tab => shop.lines(tab).length === 1))
      const pids = tabs.map(tab => shop.pidOf(tab))
      fs.writeFileSync(path.join(shop.notes, `${b}.screen`), 'menu')
      // One to stop, so that the hub dies; one message waits behind a dialog.
      await dying.call('tab.send', { tab_id: b, message: 'later' })
      void dying.call('tab.stop', { tab_id: c })
      expect(await dying.dead).toBe('SIGKILL')
      const hub = await shop.hub()
      expect((await hub.api('tab.list', {})).tabs.map(({ tab_id }) => tab_id).sort()).toEqual([a, b].sort())
      expect(pids.map(isRunning)).toEqual([true, true, false])
      const { lines } = await hub.running.hub.terminals.screen(a)
      expect(lines).toContain('I am a')
      await becomes(hub, b, 'waiting')
      expect(shop.lines(b)).toEqual(['I am b'])
      await shop.show(hub, b, 'prompt', '>')
      await until(() => shop.lines(b).length === 2)
      expect(shop.lines(b)).toEqual(['I am b', '[gwt msg from operator]: later'])
      // They talk to the new hub with the ticket they have.
      answer(await hub.call('gwt_send_message', { target_tab_id: a, message: '!call gwt_list_tabs {}' }))
      await until(() => shop.notesOf(a, 'calls').length === 1)
      expect(shop.notesOf<{ isError: boolean }>(a, 'calls')[0]?.isError).toBe(false)
      expect(((await rowsOf(hub, 'tabs'))['tabs'] ?? []).filter(row => row['ended_at'] === null)).toHaveLength(2)
    },
  )

  test('together with the host of its terminals: the tabs are lost, and say so', HEAVY, async () => {
    await using shop = new TabShop()
    const hub = await shop.hub()
    const tab = await launch(hub, 'a')
    await becomes(hub, tab, 'idle')
    process.kill(hostOf(shop), 'SIGKILL')
    await becomes(hub, tab, 'exited')
    expect(await hub.api('tab.show', { tab_id: tab })).toMatchObject({ end_reason: 'lost', status: 'exited' })
    expect(isRunning(shop.pidOf(tab))).toBe(false)
    // The next one gets a new host.
    const next = await launch(hub, 'a')
    await becomes(hub, next, 'idle')
  })
})

test('a hub that is stopped ends its tabs; one that hands over leaves them', HEAVY, async () => {
  await using shop = new TabShop()
  const first = await shop.hub()
  const tab = await launch(first, 'a')
  await becomes(first, tab, 'idle')
  await first.running.stop(true)
  expect(isRunning(shop.pidOf(tab))).toBe(true)
  const second = await shop.hub()
  expect(await onlyTab(second)).toBe(tab)
  await becomes(second, tab, 'idle')
  await second.stop()
  expect(isRunning(shop.pidOf(tab))).toBe(false)
  const third = await shop.hub()
  expect(await third.api('tab.show', { tab_id: tab })).toMatchObject({ end_reason: 'hub_stopped', status: 'exited' })
})

test.each([
  ['handed over', true, false, null],
  ['handed over while it stops a tab', true, true, 'stopped'],
  ['stopped', false, false, 'hub_stopped'],
])(
  'a hub whose host of terminals hangs can be %s',
  async (_, keep, stops, reason) => {
    await using shop = new TabShop()
    const hub = await shop.hub()
    const tab = await launch(hub, 'a')
    await becomes(hub, tab, 'idle')
    const host = hostOf(shop)
    process.kill(host, 'SIGSTOP')
    try {
      answer(await hub.call('gwt_send_message', { target_tab_id: tab, message: 'never typed' }))
      const stopping = stops ? hub.call('gwt_stop_tab', { tab_id: tab }).catch(() => {}) : undefined
      if (stopping)
        await until(async () => ((await rowsOf(hub, 'tabs'))['tabs'] ?? [])[0]?.['stop_requested_at'] !== null)
      await hub.running.stop(keep)
      await stopping
      expect(isRunning(host)).toBe(keep)
    } finally {
      if (isRunning(host)) process.kill(host, 'SIGCONT')
    }
    const next = await shop.hub()
    if (stops) await becomes(next, tab, 'exited')
    expect((await next.api('tab.show', { tab_id: tab })).end_reason).toBe(reason)
  },
  HEAVY.timeout,
)
