// The terminals of the dashboard, in a real browser, with real programs in real terminals.
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { CDPSession, Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DIST } from '../../scripts/sources.js'
import { post } from '../processes.ts'
import { TabWorkshop } from '../real-tabs.ts'
import { becomes, launch, TabShop, type TabsOptions } from '../tabs.ts'
import { until } from '../until.ts'
import { TestPage, testPage } from './page.ts'
import { lookAt } from './shots.ts'

// Real shells, twenty at once.
const SLOW = { timeout: 240_000 }
const PAGE = { page: join(DIST, 'web') }
/** Costs next to nothing: a dozen of scripted screens look for their next word all the time. */
const ECHO = { terminal: ['/bin/sh', '-c', 'echo "I am $(printf %s "$TORYO_TAB_ID" | tail -c 12)."; exec cat'] }
/** In a narrow terminal, the whole name would be on two lines. */
const said = (id: string) => `I am ${id.slice(-12)}.`
const SHELL = { terminal: ['/bin/sh', '-c', 'PS1="ready> " exec /bin/sh -i'] }

const tile = (page: Page, id: string) => page.locator(`section[data-tab=${id}]`)
/** What a person sees in it. */
const textOf = async (place: Locator) => (await place.locator('.xterm-rows > div').allInnerTexts()).join('\n')
const sees = (place: Locator, text: string | RegExp) =>
  until(async () => {
    const seen = (await textOf(place)).replaceAll('\u00a0', ' ')
    return typeof text === 'string' ? seen.includes(text) : text.test(seen)
  })
const isOpen = (place: Locator) => place.locator('[data-terminal-state=open]').waitFor({ state: 'attached' })

async function composes(session: CDPSession, ...steps: string[]): Promise<void> {
  for (const text of steps)
    await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
}

function tabShop(options: TabsOptions = {}): TabShop {
  return new TabShop({ hub: PAGE, ...options, config: { engines: { shell: SHELL }, ...options.config } })
}

test('a person types into a real shell, finds what it said, resizes it, leaves it, and stops it', SLOW, async () => {
  await using shop = tabShop()
  const hub = await shop.hub()
  await using stage = new TestPage(hub)
  const id = await launch(hub, 'feature/login', { agent_id: 'shell' })
  const page = await stage.open(`/terminals?show=${id}`)
  const place = tile(page, id)
  await sees(place, 'ready>')
  await place.locator('.xterm-screen').click()
  await page.keyboard.type('echo $((6*7))-answer')
  await page.keyboard.press('Enter')
  await sees(place, '42-answer')

  // Its folder opens in an editor from here, too.
  const folder = (await hub.api('tab.show', { tab_id: id })).worktree_path ?? ''
  await place.getByLabel('Open in editor').click()
  const link = place.getByRole('link', { name: 'Open in VS Code' })
  expect(await link.getAttribute('href')).toBe(`vscode://file${folder}/`)
  await place.getByLabel('Open in editor').click()
  await link.waitFor({ state: 'hidden' })
  await place.locator('.xterm-screen').click()

  // The size of the program is that of the window.
  const sizeOf = async (mark: string) => {
    await page.keyboard.type(`echo ${mark} $(stty size)\r`)
    const found = await until(async () => {
      const { lines } = await hub.running.hub.terminals.screen(id)
      return new RegExp(`^${mark} (\\d+) (\\d+)`, 'm').exec(lines.join('\n'))
    })
    return { rows: Number(found[1]), cols: Number(found[2]) }
  }
  const wide = await sizeOf('wide')
  await page.setViewportSize({ width: 1000, height: 600 })
  let tries = 0
  const narrow = await until(async () => {
    const now = await sizeOf(`narrow${tries++}`)
    return now.cols < wide.cols && now.rows < wide.rows && now
  })
  expect(narrow.cols).toBeGreaterThan(40)
  await page.keyboard.type('clear\r')

  await page.keyboard.type('echo one needle, two needles')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Shift+F')
  await page.getByLabel('Find in the terminal').fill('needle')
  await place.getByRole('status').getByText('/4').waitFor()
  await page.keyboard.press('Escape')

  // Every key is the program's, until it is left.
  await page.keyboard.type('echo gb!?')
  expect(page.url()).toContain('/terminals')
  await page.keyboard.press('Enter')
  await sees(place, /\ngb!\?/)
  await page.keyboard.press('Control+\\')
  expect(await page.evaluate('document.activeElement.dataset.tab')).toBe(id)
  await page.keyboard.press('1')
  expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
  await page.keyboard.press('Control+\\')
  await page.keyboard.press('S')
  await place.getByText('It was stopped.').waitFor()
  await place.getByText('gb!?').first().waitFor()
  expect((await hub.api('tab.show', { tab_id: id })).end_reason).toBe('stopped')

  await place.getByRole('button', { name: 'Launch again on this worktree' }).click()
  expect(await page.getByLabel('Branch').inputValue()).toBe('feature/login')
  await page.locator('dialog[open]').getByRole('button', { name: 'Launch', exact: true }).click()
  const [again] = await until(async () => {
    const { tabs } = await hub.api('tab.list', {})
    return tabs.length === 1 && tabs
  })
  await sees(tile(page, again?.tab_id ?? ''), 'ready>')
})

test('Japanese arrives once, and keys of a composition are nobody else’s', SLOW, async () => {
  await using shop = tabShop()
  const hub = await shop.hub()
  await using stage = new TestPage(hub)
  const tui = await launch(hub, 'tui')
  const page = await stage.open(`/terminals?show=${tui}`)
  await sees(tile(page, tui), '>')
  await tile(page, tui).locator('.xterm-screen').click()
  const session = await page.context().newCDPSession(page)
  await composes(session, 'に', 'にほ', 'にほんご')
  await session.send('Input.insertText', { text: '日本語' })
  await sees(tile(page, tui), '> 日本語')
  await composes(session, 'で', 'です')
  await session.send('Input.insertText', { text: 'です' })
  await sees(tile(page, tui), '> 日本語です')
  await page.keyboard.press('Enter')
  await until(() => shop.lines(tui).length === 1)
  expect(shop.lines(tui)).toEqual(['日本語です'])
  expect(shop.notesOf(tui, 'bytes')).toBe('日本語です\r')
})

test('a paste of several lines is asked about, unless the program knows pastes', SLOW, async () => {
  await using shop = tabShop()
  const hub = await shop.hub()
  await using stage = new TestPage(hub)
  const [tui, shell] = [await launch(hub, 'tui'), await launch(hub, 'shell', { agent_id: 'shell' })]
  const page = await stage.open(`/terminals?show=${tui},${shell}`)
  await sees(tile(page, tui), '>')
  await tile(page, tui).locator('.xterm-screen').click()
  await paste(page, 'one\ntwo')
  await until(() => shop.notesOf(tui, 'bytes').endsWith('\u001b[200~one\rtwo\u001b[201~'))
  expect(await page.locator('dialog[open]').count()).toBe(0)

  // A plain shell without line editing does not know them: each line would run at once.
  await sees(tile(page, shell), 'ready>')
  await tile(page, shell).locator('.xterm-screen').click()
  await page.keyboard.type('cat\r')
  await paste(page, 'first\nsecond')
  await page.getByRole('heading', { name: 'Paste 2 lines?' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
  await paste(page, 'third\nfourth')
  await page.getByRole('button', { name: 'Paste', exact: true }).click()
  // Echoed by the terminal, and the whole first line again by the program: before the second, or after it.
  await sees(tile(page, shell), /third[^]*(third[^]*fourth|fourth[^]*third)/)
  expect(await textOf(tile(page, shell))).not.toContain('first')
  // The focus is back in the terminal.
  await page.keyboard.type(' fifth\r')
  await sees(tile(page, shell), 'fourth fifth')
})

/** As the browser does it for Ctrl+Shift+V, which needs no clipboard of the machine. */
const paste = (page: Page, text: string) =>
  page.evaluate(`(text => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(event)
  })(${JSON.stringify(text)})`)

test(
  'a tab is launched by a dialog, written to and broadcast to; what is queued is seen, cancelled, delivered',
  SLOW,
  async () => {
    await using shop = tabShop()
    const hub = await shop.hub()
    await using stage = new TestPage(hub)
    const page = await stage.open('/terminals')
    await page.getByRole('heading', { name: 'No agent has a terminal' }).waitFor()
    await page.keyboard.press('l')
    await page.getByLabel('Branch').waitFor()
    await page.getByLabel('Engine').selectOption('tui')
    await page.getByLabel('Branch').fill('feature/a')
    await page.getByLabel('What shall it do first?').fill('say hello')
    await page.keyboard.press('Control+Enter')
    const [tab] = await until(async () => {
      const { tabs } = await hub.api('tab.list', {})
      return tabs.length === 1 && tabs
    })
    const id = tab?.tab_id ?? ''
    await sees(tile(page, id), 'say hello')
    await until(() => shop.lines(id).length > 0)
    expect(shop.lines(id)).toEqual(['say hello'])
    await tile(page, id).getByText('idle').waitFor()

    // It asks something: nothing is typed into it, and the page says so.
    await shop.show(hub, id, 'menu', 'Run this command?')
    await tile(page, id).getByText('waits for you').waitFor()
    await page.keyboard.press('Control+\\')
    await page.keyboard.press('b')
    await page.locator('dialog textarea').fill('rebase, please')
    await page.keyboard.press('Control+Enter')
    // Until it is sent, keys go into the dialog.
    await page.locator('dialog textarea').waitFor({ state: 'detached' })
    await page.keyboard.press('m')
    const row = (text: string) => page.locator('[data-message]').filter({ hasText: text })
    await row('rebase, please').getByText('queued (it asks something)').waitFor()
    await page.getByLabel('Message', { exact: true }).fill('never mind')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await row('never mind').locator('[data-state=queued]').waitFor()
    await row('never mind').getByRole('button', { name: 'Cancel this message' }).click()
    await row('never mind').getByText('cancelled').waitFor()
    await shop.show(hub, id, 'prompt', '>')
    await row('rebase, please').locator('[data-state=delivered]').waitFor()
    expect(shop.lines(id)).toEqual(['say hello', '[gwt msg from operator]: rebase, please'])

    // The thread of this tab has an address of its own; what was not delivered is sent again from there.
    await tile(page, id)
      .getByRole('link', { name: /All messages of this tab/ })
      .click()
    expect(new URL(page.url()).pathname).toBe(`/tabs/${id}/messages`)
    const thread = page.locator('[data-thread=operator]')
    await thread.getByText('feature/a and you').waitFor()
    await thread
      .locator('[data-message]', { hasText: 'never mind' })
      .getByRole('button', { name: 'Send again' })
      .click()
    await until(() => shop.lines(id).length === 3)
    await thread.locator('[data-message]', { hasText: 'never mind' }).locator('[data-state=delivered]').waitFor()
    await page.reload()
    await thread.locator('[data-message]').nth(2).waitFor()
  },
)

test('a tab that asks is answered on its live screen in Needs you, and opened with t', SLOW, async () => {
  await using shop = tabShop()
  const hub = await shop.hub()
  await using stage = new TestPage(hub)
  const id = await launch(hub, 'feature/api')
  await becomes(hub, id, 'idle')
  await shop.show(hub, id, 'menu', 'Run this command?')
  const page = await stage.open('/needs')
  await page.locator(`[data-item="tab_waits:${id}"]`).click()
  await sees(tile(page, id), 'Run this command?')
  const before = await hub.running.hub.terminals.screen(id)
  expect(before.lines.join('\n')).toContain('1. Yes')
  await page.keyboard.press('a')
  await page.keyboard.type('2')
  await sees(tile(page, id), 'menu answered with "2"')
  await page.keyboard.press('Control+\\')
  await page.keyboard.press('t')
  await until(() => page.url().includes(`/terminals?show=${id}`))
  await sees(tile(page, id), 'menu answered with "2"')
  await page.locator('[data-status=waiting] header time').waitFor()
  expect(await page.locator('[data-limit]').textContent()).toBe('1 of 8')
  await page.keyboard.press('!')
  // The question is in the list; an answer in the field is typed for the person.
  await page.locator(`[data-item="tab_waits:${id}"]`).getByText('Run this command?').waitFor()
  await page.locator('[data-answer]').fill('1')
  await page.locator('[data-answer]').press('Control+Enter')
  await sees(tile(page, id), 'menu answered with "1"')
  await shop.show(hub, id, 'prompt', '>')
  await page.locator(`[data-item="tab_waits:${id}"]`).waitFor({ state: 'detached' })
})

test('twenty terminals are open at once, and each is there when it is switched to', SLOW, async () => {
  await using shop = tabShop({ limits: { tabs: 30 }, config: { engines: { shell: SHELL, echo: ECHO } } })
  const hub = await shop.hub()
  await using stage = new TestPage(hub)
  // Together: each answer waits until the program has been there for a while.
  const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => launch(hub, `b${n}`, { agent_id: 'echo' })))
  const page = await stage.open('/terminals?layout=grid')
  for (const id of ids) await isOpen(tile(page, id))
  for (const id of ids) {
    // Those outside of the window are not drawn.
    await tile(page, id).scrollIntoViewIfNeeded()
    await sees(tile(page, id), said(id))
  }
  await page.getByRole('button', { name: 'One', exact: true }).click()
  await until(async () => (await page.locator('section[data-tab]').count()) === 1)
  for (const n of [19, 0, 7, 12]) {
    const id = ids[n] ?? ''
    await page.locator(`[data-chip=${id}]`).click()
    await sees(tile(page, id), said(id))
    await tile(page, id).locator('.xterm-helper-textarea:focus').waitFor({ state: 'attached' })
    await page.keyboard.type(`typed ${n}!\r`)
    // Echoed by the terminal, and said by the program that got it.
    await sees(tile(page, id), new RegExp(`typed ${n}![^]*typed ${n}!`))
  }

  // With a graphics processor, eight of them draw with it: browsers blank the oldest of more than sixteen.
  const fast = await stage.open('/terminals?layout=grid', { graphics: true })
  const drawn = fast.locator('.xterm-screen canvas:not(.xterm-link-layer)')
  for (const id of ids) await isOpen(tile(fast, id))
  await until(async () => (await drawn.count()) >= 8)
  await fast.keyboard.press('Control+k')
  await fast.locator('dialog[open]').waitFor()
  expect(await drawn.count()).toBe(8)
  expect(await fast.locator('.xterm-rows').count()).toBe(12)
})

test('a terminal outlives a hub that was killed: it comes back with its screen, and takes keys', SLOW, async () => {
  await using shop = new TabWorkshop({ shell: 'PS1="ready> " exec /bin/sh -i' })
  await using browsers = await testPage()
  const port = await freePort()
  const start = () =>
    shop.shop.hub(shop.shop.db(), ['--port', String(port), '--no-register', '--no-open', '--no-runner'])
  let hub = await start()
  const id = await shop.launch(hub, 'shell')
  const { body } = await post(hub.state ?? expect.unreachable('no hub'), 'hub.login_link', {})
  const address = String(body['url']).replace('/#', `/terminals?show=${id}#`)
  const page = await browsers.open('/', { signedIn: false, elsewhere: address })
  const place = tile(page, id)
  await sees(place, 'ready>')
  await place.locator('.xterm-screen').click()
  await page.keyboard.type('echo before-$((1+1))\r')
  await sees(place, 'before-2')
  await hub.kill()
  await place.getByText('Cut off, connecting again').waitFor()
  await sees(place, 'before-2')
  hub = await start()
  await isOpen(place)
  await sees(place, 'before-2')
  await page.keyboard.type('echo after-$((1+2))\r')
  await sees(place, 'after-3')
  expect((await textOf(place)).split('before-2').length).toBe(2)
  await hub.stop()
})

test('looks right in every look', SLOW, async () => {
  await using shop = tabShop()
  const hub = await shop.hub()
  await using stage = new TestPage(hub)
  const [one, two, three] = [
    await launch(hub, 'feature/login', { prompt: 'Add a signed session cookie' }),
    await launch(hub, 'feature/api', { prompt: 'ヘルスチェックのエンドポイントを追加' }),
    await launch(hub, 'fix/端数処理', { agent_id: 'shell' }),
  ]
  const ended = await launch(hub, 'chore/typo', { prompt: '!exit 3' })
  for (const id of [one, two]) await becomes(hub, id, 'idle')
  await becomes(hub, ended, 'exited')
  await shop.show(hub, two, 'menu', 'Run this command?')
  await becomes(hub, two, 'waiting')
  await hub.api('tab.send', { tab_id: one, message: 'The API changed: prices are integers now' })
  await hub.api('tab.send', { tab_id: two, message: 'main が更新されたのでリベースしてください' })
  const all = `/terminals?show=${one},${two},${three},${ended}`
  const asks = (page: Page) => sees(tile(page, two), 'Run this command?')
  await lookAt(stage, [
    [
      'terminals',
      all,
      async page => {
        const isPhone = (page.viewportSize()?.width ?? 0) < 768
        for (const id of isPhone ? [one] : [one, two, three]) await isOpen(tile(page, id))
        await sees(tile(page, one), 'signed session')
      },
    ],
    ['terminals-one', `/terminals?show=${two}`, asks],
    ['terminals-ended', `/terminals?show=${ended}`, page => tile(page, ended).locator('pre').waitFor()],
    [
      'terminals-launch',
      `/terminals?show=${ended}`,
      async page => {
        await page.keyboard.press('l')
        await page.locator('dialog[open] textarea').waitFor()
      },
    ],
    [
      'terminals-messages',
      all,
      async page => {
        await isOpen(tile(page, one))
        await page.locator('section button[aria-expanded]').click()
        await page.locator('[data-message]').first().waitFor()
      },
    ],
    ['needs-tab', `/needs/${encodeURIComponent(`tab_waits:${two}`)}`, asks],
  ])
})

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
