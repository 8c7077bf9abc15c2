// `toryo tab attach` as a person uses it: the real program in a real terminal, on a real hub.
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HubState } from '#client/state-file.ts'
import { TORYO_STARTED_BELOW } from '#system/environment-names.ts'
import type { HostTerminals } from '#kernel/terminals/host-terminals.ts'
import { ROOT } from '../scripts/sources.js'
import { type HubChild, post, type Workshop } from './processes.ts'
import { TabWorkshop } from './real-tabs.ts'
import { until } from './scripted.ts'
import { TestViewer, TerminalShop } from './terminals.ts'

const PROGRAM = path.join(ROOT, 'bin', 'toryo.js')

/** A hub with one tab, and a terminal of the person's own, with a shell in which they type. */
class Desk implements AsyncDisposable {
  readonly tabs: TabWorkshop
  readonly own = new TerminalShop()
  tab = ''
  mine!: HostTerminals
  hub!: HubChild
  person!: TestViewer

  static async with(script: string): Promise<Desk> {
    const desk = new Desk(script)
    try {
      await desk.#open()
      return desk
    } catch (error) {
      await desk[Symbol.asyncDispose]()
      throw error
    }
  }

  private constructor(script: string) {
    this.tabs = new TabWorkshop({ script })
  }

  get shop(): Workshop {
    return this.tabs.shop
  }

  async #open(): Promise<void> {
    this.mine = await this.own.hub()
    const { PATH = '' } = process.env
    const env = { PATH, HOME: this.shop.home, TORYO_HOME: path.join(this.shop.home, 'toryo'), LANG: 'C', PS1: '$ ' }
    const shell = this.own.terminal('', { program: '/bin/sh', args: ['-i'], env, cols: 90, rows: 25 })
    await this.mine.open(shell)
    // The person's terminal is of our making, too. To the hub it is where the person is, not what another hub has started.
    this.shop.more = { [TORYO_STARTED_BELOW]: `${shell.marker},${this.own.host().record.marker}` }
    this.hub = await this.shop.hub()
    this.tab = await this.tabs.launch(this.hub, 'script')
    this.person = await TestViewer.at(this.mine, shell.id)
    this.screen = async () => (await this.mine.screen(shell.id)).lines.join('\n')
    await until(() => /[$#] /.test(this.person.text))
  }

  screen: () => Promise<string> = async () => ''
  #before = 0
  #looks = 0

  type(text: string): void {
    this.person.type(text)
  }

  /** What came since the last command line. */
  get text(): string {
    return this.person.text.slice(this.#before)
  }

  async sees(text: string | RegExp): Promise<void> {
    await until(() => (typeof text === 'string' ? this.text.includes(text) : text.test(this.text)))
  }

  /** In the person's shell. */
  run(line: string): void {
    this.#before = this.person.text.length
    this.type(`${line}; echo "code=$?"\r`)
  }

  attach(...options: string[]): void {
    this.attachTo(this.tab, ...options)
  }

  attachTo(tab: string, ...options: string[]): void {
    const words = [process.execPath, PROGRAM, 'tab', 'attach', tab, '--db', this.shop.db(), ...options]
    this.run(words.map(word => `'${word}'`).join(' '))
  }

  /** The shell is usable: cooked, with echo, on the usual screen, with nothing left switched on. */
  async usable(): Promise<void> {
    const look = ++this.#looks
    this.type(`stty -a | tr " ;" "\\n\\n" | grep -cxE "icanon|echo|isig|icrnl|opost"; echo "us""able ${look}"\r`)
    await this.sees(`usable ${look}`)
    const tail = this.person.text.slice(this.person.text.lastIndexOf('code='))
    // The shell's prompt may come before the echo of what was typed, or after it.
    expect(tail).toMatch(/\n(?:[$#] )?5\r\n/)
    expect(await this.screen()).toContain(`usable ${look}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.person?.[Symbol.dispose]()
    if (this.hub && !this.hub.exit) await this.hub.stop()
    await this.own[Symbol.asyncDispose]()
    await this.tabs[Symbol.asyncDispose]()
  }
}

describe.runIf(process.platform === 'linux')('toryo tab attach', () => {
  test('is the tab’s own terminal: keys, size and Ctrl-C go in, the screen comes out, the key leaves it as it is', async () => {
    await using desk = await Desk.with(
      'trap "stty size" WINCH; trap "echo interrupted" INT; echo hello from the tab; while :; do read line && echo "<$line>"; done',
    )
    desk.attach()
    await desk.person.sees(`Attached to ${desk.tab}. Ctrl-\\ detaches`)
    await desk.person.sees('hello from the tab')
    desk.type('こんにちは\r')
    await desk.person.sees('<こんにちは>')
    desk.type('\x03')
    await desk.person.sees('interrupted')
    desk.person.resize(100, 31)
    await desk.person.sees('31 100')
    desk.type('\x1c')
    await desk.person.sees(', which goes on.')
    await desk.person.sees('code=0')
    await desk.usable()

    desk.attach('--read-only')
    await desk.sees(`Watching ${desk.tab}; what you type is not sent.`)
    await desk.sees('<こんにちは>')
    desk.type('not sent\r')
    await pause(300)
    desk.type('\x1c')
    await desk.sees('code=0')

    // The branch stands for the tab.
    desk.attachTo('b-script')
    await desk.sees('hello from the tab')
    desk.type('\x1c')
    await desk.sees(', which goes on.')
    await desk.sees('code=0')
    expect(desk.person.text).not.toContain('<not sent>')
  })

  test('puts the terminal back after a full-screen program that ended, and says how it ended', async () => {
    await using desk = await Desk.with(
      'printf "\\033[?1049h\\033[?25l\\033[?1003h\\033[?1006h\\033[?2004h\\033[?1h\\033[>1u\\033[2;2HFULL SCREEN"; read x; exit 9',
    )
    desk.attach()
    await desk.person.sees('FULL SCREEN')
    desk.type('\r')
    await desk.person.sees(`The program in b-script has ended (exit code 9).`)
    await desk.person.sees('code=0')
    await desk.usable()
    const after = desk.person.text.slice(desk.person.text.lastIndexOf('FULL SCREEN'))
    for (const reset of [
      '\x1b[?1049l',
      '\x1b[?25h',
      '\x1b[?1003l',
      '\x1b[?1006l',
      '\x1b[?2004l',
      '\x1b[?1l',
      '\x1b[<99u',
    ])
      expect(after).toContain(reset)
  })

  test('puts the terminal back when it is ended by a signal', async () => {
    await using desk = await Desk.with('printf "\\033[?1049hFULL SCREEN"; cat')
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) {
      desk.attach()
      await desk.sees('FULL SCREEN')
      process.kill(await clientOf(desk), signal)
      await desk.sees('code=0')
      await desk.usable()
    }
  })

  test('does not notice kill -9 of the hub: keys and screen go on, and the next hub finds it there', async () => {
    await using desk = await Desk.with('echo hello from the tab; while read line; do echo "<$line>"; done')
    desk.attach()
    await desk.person.sees('hello from the tab')
    await desk.hub.kill()
    desk.type('without a hub\r')
    await desk.person.sees('<without a hub>')
    desk.hub = await desk.shop.hub()
    desk.type('with the next one\r')
    await desk.person.sees('<with the next one>')
    expect(desk.person.text).not.toContain('looking for it')
    expect((await post(desk.hub.state as HubState, 'hub.status', {})).body['connections']).toBe(1)
    desk.type('\x1c')
    await desk.person.sees('code=0')
    await desk.usable()
  })

  test('on a terminal of an earlier hub comes back by itself after kill -9, to the same screen', async () => {
    await using desk = await Desk.with('echo hello from the tab; while read line; do echo "<$line>"; done')
    await desk.hub.kill()
    desk.hub = await desk.shop.hub()
    desk.attach('--detach-key', 'ctrl-b,d')
    await desk.person.sees('Ctrl-B d detaches')
    await desk.person.sees('hello from the tab')
    await desk.hub.kill()
    await desk.person.sees('looking for it')
    // It starts a hub automatically, as every command does.
    const again = await desk.shop.servingHub()
    await until(() => desk.person.text.split('hello from the tab').length >= 3)
    desk.type('after the crash\r')
    await desk.person.sees('<after the crash>')
    desk.type('\x02d')
    await desk.person.sees('code=0')
    await desk.usable()
    expect(again.pid).not.toBe(desk.hub.pid)
    await desk.shop.stopHub()
  })

  test('says that the tab ended when the hub is stopped', async () => {
    await using desk = await Desk.with('echo hello from the tab; cat')
    desk.attach()
    await desk.person.sees('hello from the tab')
    await desk.hub.stop()
    await desk.person.sees(`The program in b-script has ended (signal SIGHUP).`)
    await desk.usable()
  })
})

describe.runIf(process.platform === 'linux')('toryo tab attach that cannot be', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await Desk.with('cat')
  })
  afterAll(() => desk?.[Symbol.asyncDispose]())

  test.each([
    ['no terminal to write to', 'tab attach tab_desk | cat; echo', /needs a terminal for input and output/],
    ['no terminal to read from', 'tab attach tab_desk < /dev/null', /needs a terminal for input and output/],
    ['--json', 'tab attach tab_desk --json', /needs a terminal for input and output/],
    ['a tab that is not there', 'tab attach tab_other', /Tab tab_other not found\. Use `toryo tab list`/],
    ['a detach key that is none', 'tab attach tab_desk --detach-key q', /"q" is not a valid detach key/],
  ])('refuses %s in one sentence', async (_name, words, sentence) => {
    const [command = '', rest = ''] = words.split(/(?= [|<])/)
    desk.run(`'${process.execPath}' '${PROGRAM}' ${command} --db '${desk.shop.db()}'${rest}`)
    await desk.sees(/code=\d/)
    expect(desk.text.replace(/\r\n/g, '')).toMatch(sentence)
    if (!rest.includes('|')) expect(desk.text).toMatch(/code=[12]/)
    await desk.usable()
  })
})

async function clientOf(desk: Desk): Promise<number> {
  const { readdirSync, readFileSync } = await import('node:fs')
  const found = readdirSync('/proc').filter(name => {
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      return words[1] === PROGRAM && words.includes(desk.shop.db())
    } catch {
      return false
    }
  })
  expect(found).toHaveLength(1)
  return Number(found[0])
}
