// The real programs in tabs of a real hub: launched, written to by a person, and writing to each other.
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type CliName, describeClis, EVERY_CLI, PRESENT } from './clis.ts'
import type { Heard, Script } from './model/conversation.ts'
import { inTurn } from './scripts.ts'
import { TabWorld } from './tab-world.ts'

/** How each asks whether a folder can be trusted, which key leads to yes, and how yes looks once it is chosen. */
const TRUST: Partial<Record<CliName, { question: RegExp; key: string; yes: RegExp }>> = {
  claude: { question: /trust this folder/, key: '\x1b[B', yes: /❯ Yes, I trust/ },
  codex: { question: /Trust this folder\?/, key: '', yes: /› 1\. Trust/ },
}

const TALKS = { claude: '.claude/projects', codex: '.codex/sessions', gemini: '.gemini/tmp' } as const

/** What the program has kept of a conversation: the one file that bears or begins with its name. */
function talksOf(cli: keyof typeof TALKS, home: string, session: string): string {
  const folder = path.join(home, TALKS[cli])
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const texts = files.map(entry => path.join(entry.parentPath, entry.name)).filter(file => /\.jsonl?$/.test(file))
  return texts
    .filter(file => file.includes(session) || fs.readFileSync(file, 'utf8').slice(0, 1000).includes(session))
    .map(file => fs.readFileSync(file, 'utf8'))
    .join('\n')
}

/** As a person ends it. */
async function leave(world: TabWorld, tab: string, words: string): Promise<void> {
  await using screen = world.attach(tab)
  await screen.sees(/\S/)
  screen.type(words)
  for (; (await world.show(tab)).status !== 'exited'; await pause(1500)) screen.type('\r')
}

/** They mostly wait. */
const CONCURRENT = { concurrent: true }

const usual: Script = () => ({ say: 'Understood' })
const look: Script = inTurn({ call: 'gwt_read_messages', args: {} }, { say: 'I have read it' })

describeClis(EVERY_CLI, cli => {
  test('in a tab it hears what it is told first, then a person, and is signed in as that tab', CONCURRENT, async () => {
    // Those that have no question about folders were not told of this one before.
    await using world = await TabWorld.open([cli], { usual, look }, { trusted: cli in TRUST })
    // As in the home of a person who has used Gemini CLI before: only then conversations of tabs are kept there.
    if (cli === 'gemini') fs.mkdirSync(path.join(world.home, TALKS.gemini), { recursive: true })
    const first = 'Begin with "the roof" 屋根'
    const tab = await world.launch(cli, { prompt: first })
    await world.hears(cli, first)
    await world.becomes(tab, 'idle')

    await world.send(tab, 'SCRIPT=look Überprüfe\n屋根を見て 👷🏽‍♀️ $HOME `id` \\ <b>')
    const line = '[gwt msg from operator]: SCRIPT=look Überprüfe ⏎ 屋根を見て 👷🏽‍♀️ $HOME `id` \\ <b>'
    const { said, results } = await world.hears(cli, line, 1)
    expect(said).toEqual([first, line])
    // It named no tab: its connection says whose messages these are.
    expect(results[0]).toContain(`"from":"operator","to":"${tab}"`)
    await world.becomes(tab, 'idle')

    // opencode says it only when it ends.
    if (cli === 'opencode') await leave(world, tab, '/exit')
    const { session_id } = await world.show(tab)
    expect(session_id).toEqual(expect.any(String))
    // Under that name the program itself has the conversation.
    if (cli !== 'opencode') expect(talksOf(cli, world.home, String(session_id))).toContain('屋根を見て')
    else expect(session_id).toMatch(/^ses_\w+$/)
  })

  // Claude Code without a mode of ours first asks which one shall be the usual, and the message waits for that answer.
  test.skipIf(cli === 'claude')(
    'asks in a tab as the person has set it up, and no longer when the person launches it so',
    CONCURRENT,
    async () => {
      const shell: Script = inTurn({ shell: 'touch y.txt' }, { say: 'Understood' })
      await using world = await TabWorld.open([cli], { shell, look }, { careful: true })
      const tab = await world.launch(cli)
      await world.becomes(tab, 'idle')
      const { worktree_path } = await world.show(tab)
      // What it calls of ours it need not ask for.
      await world.send(tab, 'SCRIPT=look')
      await world.hears(cli, '[gwt msg from operator]: SCRIPT=look', 1)
      await world.becomes(tab, 'idle')
      await world.send(tab, 'SCRIPT=shell')
      await world.becomes(tab, 'waiting')
      expect(fs.existsSync(path.join(worktree_path, 'y.txt'))).toBe(false)
      await world.api('tab.stop', { tab_id: tab })

      const free = await world.launch(cli, { permission: 'edit' })
      await world.becomes(free, 'idle')
      await world.send(free, 'SCRIPT=shell')
      await world.comesTrue(async () => fs.existsSync(path.join(worktree_path, 'y.txt')))
      await world.becomes(free, 'idle')
    },
  )

  const trust = TRUST[cli]
  test.runIf(trust)(
    'waits with its question about a folder for a person, and hears then what was sent',
    CONCURRENT,
    async () => {
      const { question, key, yes } = trust as NonNullable<typeof trust>
      await using world = await TabWorld.open([cli], { usual }, { trusted: false })
      const tab = await world.launch(cli, { prompt: 'Begin' })
      await world.becomes(tab, 'waiting')
      await world.send(tab, 'And go on')
      {
        await using screen = world.attach(tab)
        await screen.sees(question)
        expect(world.model.asked).toEqual([])
        // A question that has just appeared may not hear yet.
        for (; !yes.test(screen.text); await pause(300)) screen.type(key)
        for (; question.test(screen.text); await pause(1500)) screen.type('\r')
      }
      await world.hears(cli, 'Begin')
      const { said } = await world.hears(cli, '[gwt msg from operator]: And go on')
      expect(said).toEqual(['Begin', '[gwt msg from operator]: And go on'])
    },
  )
})

/** The sender is in the message's own header, and nowhere else. */
const sender = ({ prompt }: Heard) => /^\[gwt msg from (\w+)\]: /.exec(prompt)?.[1] ?? 'missing'
const send = (target_tab_id: string, message: string) => ({
  call: 'gwt_send_message',
  args: { target_tab_id, message },
})

const conversation: Record<string, Script> = {
  ask: inTurn(
    ({ prompt }) =>
      send(/\btab_\w+/.exec(prompt)?.[0] ?? 'missing', 'SCRIPT=reply Which wood?\nDo you want 樫 👷🏽‍♀️ or `oak`? \\'),
    { say: 'I have asked' },
  ),
  reply: inTurn(heard => send(sender(heard), 'SCRIPT=thank Take 樫, "$HOME" <b>'), { say: 'I have replied' }),
  thank: () => ({ say: 'Now I know' }),
}

// With fewer there is no receiver; why they are missing is said where each of them is tested.
test.skipIf(PRESENT.length < 2)(`messages are sent and answered: ${[...PRESENT, PRESENT[0]].join(' → ')}`, async () => {
  await using world = await TabWorld.open(PRESENT, conversation)
  const tabs = new Map<CliName, string>()
  for (const cli of PRESENT) tabs.set(cli, await world.launch(cli))
  for (const [at, cli] of PRESENT.entries()) {
    const other = PRESENT[(at + 1) % PRESENT.length] as CliName
    const [from, to] = [tabs.get(cli) as string, tabs.get(other) as string]
    for (const tab of [from, to]) await world.becomes(tab, 'idle')
    await world.send(from, `SCRIPT=ask ${to}`)
    await world.hears(other, `[gwt msg from ${from}]: SCRIPT=reply Which wood? ⏎ Do you want 樫 👷🏽‍♀️ or \`oak\`? \\`)
    await world.hears(cli, `[gwt msg from ${to}]: SCRIPT=thank Take 樫, "$HOME" <b>`)
  }
})
