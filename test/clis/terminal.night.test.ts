import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { markedProcesses } from '../scripted.ts'
import { type CliName, describeClis, EVERY_CLI } from './clis.ts'
import type { Script } from './model/conversation.ts'
import { inTurn } from './scripts.ts'
import { Screen } from './terminal.ts'
import { CliWorld, until } from './world.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures/screens/', import.meta.url))

/** How each state looks. `idle` is an empty line to type into, and nothing else going on. */
const LOOKS: Record<
  CliName,
  { idle: RegExp; busy: RegExp; asksToWrite: RegExp; asksToRun?: RegExp; asksTrust?: RegExp }
> = {
  claude: {
    idle: /^❯$/m,
    busy: /esc to interrupt/,
    asksToWrite: /❯ 1\. Yes/,
    asksToRun: /❯ 1\. Yes/,
    asksTrust: /trust this folder/,
  },
  codex: {
    idle: /^› Ask Codex to do anything$/m,
    busy: /esc to interrupt/,
    asksToWrite: /› 1\. Yes, proceed/,
  },
  gemini: {
    idle: /^ [*>] {3}Type your message/m,
    busy: /esc to cancel/,
    asksToWrite: /● 1\. Allow once/,
    asksToRun: /● 1\. Allow once/,
  },
  opencode: {
    idle: /Ask anything…/,
    busy: /esc interrupt/,
    asksToWrite: /Permission required/,
    asksToRun: /Permission required/,
  },
}

const ESC = '\x1b'
const CLEAR_LINE = '\x15'

describeClis(EVERY_CLI, cli => {
  const looks = LOOKS[cli]

  test('a message reaches the model byte for byte', async () => {
    await using world = await CliWorld.open(cli, { usual: () => ({ say: 'Understood' }) })
    await using screen = await Screen.open(world)
    await screen.rests(looks.idle)
    const one = '[gwt msg from tab_7]: Überprüfe "das Dach" ⏎ 屋根を見て 👷🏽‍♀️ $HOME `id` \\ <b>'
    await screen.send(one)
    await until(() => world.model.asked.length > 0)
    expect(world.model.asked[0]?.said).toEqual([one])
    await screen.rests(/Understood/)
    const many = Array.from({ length: 60 }, (_, at) => `${at} Zeile 行 👩‍🔧`).join('\n')
    await screen.send(many)
    await until(() => world.model.asked.length > 1)
    expect(world.model.asked[1]?.prompt).toBe(many)
  })

  test('its screen tells a free line from one in use, work, and a question', async () => {
    await using world = await CliWorld.open(cli, {
      usual: () => ({ say: 'Understood' }),
      busy: () => ({ silence: true }),
    })
    await using screen = await Screen.open(world)
    const keep = keeper(cli, world, screen)
    await screen.rests(looks.idle)
    keep('idle')
    screen.type('fix the ro')
    await screen.rests(/fix the ro/)
    expect(screen.text).not.toMatch(looks.idle)
    keep('half-typed')
    screen.type(CLEAR_LINE)
    await screen.rests(looks.idle)
    screen.type(`${ESC}[200~${'a line of a long text 日本語\n'.repeat(40)}end${ESC}[201~`)
    await screen.rests(/pasted|^ *end$/im)
    expect(screen.text).not.toMatch(looks.idle)
    keep('pasted')
    screen.type('\r')
    await screen.rests(/Understood/)
    keep('idle-after-turn')
    screen.type('/')
    await screen.rests(/\/\w+|clear +Clear/)
    keep('menu')
    screen.type('\x7f')
    await screen.send('SCRIPT=busy')
    await screen.sees(looks.busy)
    keep('busy')
    screen.type('wait')
    await screen.sees(/wait/)
    keep('busy-half-typed')
    screen.type('\x7f\x7f\x7f\x7f')
    await screen.send('a second message')
    await screen.sees(/queued|after next tool call/i)
    keep('busy-queued')
  })

  test('asks a person before it writes or runs what it may only read', async () => {
    const write: Script = inTurn({ write: 'x.txt', content: 'x\n' }, { say: 'Understood' })
    const shell: Script = inTurn({ shell: 'touch y.txt' }, { say: 'Understood' })
    const at =
      (script: Script): Script =>
      heard => {
        const step = script(heard)
        return 'write' in step ? { ...step, write: path.join(world.work, step.write) } : step
      }
    await using world = await CliWorld.open(cli, { write: at(write), shell })
    await using screen = await Screen.open(world, { permission: 'read' })
    const keep = keeper(cli, world, screen)
    await screen.rests(looks.idle)
    await screen.send('SCRIPT=write')
    await screen.sees(looks.asksToWrite)
    expect(screen.text).not.toMatch(looks.idle)
    keep('dialog-write')
    if (!looks.asksToRun) return
    // A question that has just appeared does not hear yet.
    for (; looks.asksToWrite.test(screen.text); await pause(1500)) screen.type(ESC)
    await screen.rests(cli === 'opencode' ? /▣/ : looks.idle)
    await screen.send('SCRIPT=shell')
    // Not at rest: a dot on it may go on blinking.
    await screen.sees(looks.asksToRun)
    keep('dialog-shell')
    expect(fs.readdirSync(world.work)).toEqual([])
  })

  test.runIf(looks.asksTrust)('asks whether a new folder can be trusted', async () => {
    await using world = await CliWorld.open(cli, {})
    const file = path.join(world.home, '.claude.json')
    const { projects: _, ...rest } = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>
    fs.writeFileSync(file, JSON.stringify(rest))
    await using screen = await Screen.open(world)
    await screen.rests(looks.asksTrust as RegExp)
    expect(screen.text).not.toMatch(looks.idle)
    keeper(cli, world, screen)('dialog-trust')
  })

  test('leaves nothing behind when its terminal is closed', async () => {
    await using world = await CliWorld.open(cli, {
      usual: inTurn({ shell: 'tail -f /dev/null & tail -f /dev/null' }, { say: 'Never' }),
    })
    let marker: string
    {
      await using screen = await Screen.open(world)
      marker = screen.marker
      await screen.rests(looks.idle)
      await screen.send('go')
      await until(() => world.model.asked.length > 0)
      await until(() => markedProcesses(marker).length > 1)
    }
    expect(markedProcesses(marker)).toEqual([])
  })
})

/** With KEEP_SCREENS=1 the screens become the fixtures that idle detection is tested on. */
function keeper(cli: CliName, world: CliWorld, screen: Screen): (state: string) => void {
  return state => {
    if (!process.env['KEEP_SCREENS']) return
    fs.mkdirSync(FIXTURES, { recursive: true })
    const same = screen.dump.replaceAll(path.basename(world.folder), 'toryo-clis-000000')
    fs.writeFileSync(path.join(FIXTURES, `${cli}-${state}.txt`), same)
  }
}
