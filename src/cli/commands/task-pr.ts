import type { ApiOutput } from '#contract/api.ts'
import { asker, canAsk, isYes } from '../ask.ts'
import type { Connection } from '../connect.ts'
import type { Context } from '../context.ts'
import { type Answer, command } from '../define.ts'
import { CliError } from '../errors.ts'
import { visible, visibleLine } from '../escape.ts'
import { pairs } from '../format.ts'
import type { Io } from '../io.ts'
import { textOrFile } from '../options.ts'
import { asTyped, type Commands, open, prepare, push, type Wish } from '../pull-request.ts'
import { argument } from '../texts-help.ts'

type Options = {
  yes?: boolean
  remote?: string
  title?: string
  body?: string
  draft?: boolean
  opened?: string
  merged?: boolean
  closed?: boolean
}
type Found = ApiOutput<'task.pr'>

const words = {
  where: (directory: string, url: string) => ({
    en: `In ${directory}, to ${url}:`,
    ja: `${directory} から ${url} へ実行します:`,
  }),
  title: { en: 'title', ja: 'タイトル' },
  body: { en: 'text', ja: '本文' },
  accepts: (handle: string) => ({
    en: `${handle} is not accepted yet: opening the pull request accepts it.`,
    ja: `${handle} はまだ承認されていません。プルリクエストを作成すると承認したことになります。`,
  }),
  leaves: (handle: string) => ({
    en: `${handle} then waits for its pull request and is not merged here.`,
    ja: `以後 ${handle} はプルリクエストのマージを待ち、ここではマージしません。`,
  }),
  ask: { en: 'Run these? [y/N] ', ja: '実行しますか? [y/N] ' },
  notYet: (handle: string) => ({
    en: `Nothing was run. \`toryo task pr ${handle} --yes\` runs it.`,
    ja: `まだ何も実行していません。\`toryo task pr ${handle} --yes\` で実行します。`,
  }),
  opened: (handle: string, url: string) => ({
    en: `Opened ${url}. ${handle} is merged when its base has it here (git fetch), or when you say so: \`toryo task pr ${handle} --merged\`.`,
    ja: `${url} を作成しました。ベースに取り込まれたことがここで分かる (git fetch) か、\`toryo task pr ${handle} --merged\` を実行すると、${handle} はマージ済みになります。`,
  }),
  updated: (handle: string, url: string) => ({
    en: `Pushed the newest work of ${handle}; ${url} has it.`,
    ja: `${handle} の最新の作業を push しました。${url} に反映されます。`,
  }),
  recorded: (handle: string, url: string) => ({
    en: `${handle} waits for ${url} now and is not merged here.`,
    ja: `${handle} は ${url} のマージを待ちます。ここではマージしません。`,
  }),
  merged: (handle: string) => ({ en: `${handle} is merged.`, ja: `${handle} はマージ済みになりました。` }),
  partly: (handle: string) => ({
    en: `The pull request is merged. ${handle} has newer work, which is not in it; \`toryo task show ${handle}\` shows where that stands.`,
    ja: `プルリクエストはマージ済みです。${handle} にはそれに含まれない新しい作業があります (\`toryo task show ${handle}\` で確認できます)。`,
  }),
  closed: (handle: string) => ({
    en: `${handle} has no open pull request any more. \`toryo task merge ${handle}\` merges it here instead.`,
    ja: `${handle} のプルリクエストは終了として記録しました。ここでマージするには \`toryo task merge ${handle}\` を実行してください。`,
  }),
  one: {
    en: 'Give one of --opened, --merged and --closed.',
    ja: '--opened、--merged、--closed はいずれか 1 つだけを指定してください。',
  },
}

export default command<[task: string], Options>({
  summary: {
    en: 'Push its work and open a pull request, instead of merging it here',
    ja: 'ここでマージせず、push してプルリクエストを作成',
  },
  order: 8,
  when: {
    en: 'When work should go through a pull request on GitHub instead.',
    ja: 'ここでマージせず、プルリクエストに出すときに。',
  },
  about: {
    en: 'Shows the exact commands, the title and the text first, and asks. The push and `gh` run as you, with your credentials. For work that was accepted, or that waits for your verdict. While the pull request is open, the task is not merged here; run this again to push newer work to it.',
    ja: '実行するコマンド、タイトル、本文を表示し、確認してから実行します。push と `gh` はあなたの権限で動きます。対象は承認済み、または判定待ちの作業です。プルリクエストが未完了の間、タスクはここではマージされません。新しい作業を反映するには、もう一度実行してください。',
  },
  arguments: [{ name: '<task>', text: argument.task }],
  options: [
    { flags: '--yes', text: { en: 'Do not ask; for scripts', ja: '確認せずに実行 (スクリプト用)' } },
    {
      flags: '--remote <name>',
      text: { en: 'Push there (default: where the base comes from)', ja: 'push 先 (省略時はベースのリモート)' },
    },
    { flags: '--title <text>', text: { en: 'Title (default: that of the task)', ja: 'タイトル (省略時はタスク名)' } },
    {
      flags: '--body <text | @file>',
      text: { en: 'Text (default: the report and the checks)', ja: '本文 (省略時は報告とチェック)' },
    },
    { flags: '--draft', text: { en: 'Open it as a draft', ja: '下書きとして作成' } },
    {
      flags: '--opened <address>',
      text: { en: 'Record a pull request that you opened yourself', ja: '自分で作成したプルリクエストを記録' },
    },
    { flags: '--merged', text: { en: 'It was merged: the task ends', ja: 'マージされたことを記録 (タスクは完了)' } },
    { flags: '--closed', text: { en: 'It was closed without a merge', ja: 'マージせず閉じられたことを記録' } },
  ],
  examples: [
    ['toryo task pr shop-12', { en: 'shows what it would run, then asks', ja: '内容を表示し、確認してから実行' }],
    ['toryo task pr shop-12 --merged', { en: 'after a squash at the hoster', ja: 'スカッシュマージされた後' }],
  ],
  output: ['task.pr.record', 'task.pr.end', 'pullPlan'],
  async run(cx, options, task_id) {
    const { io } = cx
    const { opened: url, merged, closed } = options
    if ([url, merged, closed].filter(one => one !== undefined).length > 1) throw CliError.USAGE({ text: words.one })
    const hub = await cx.connect()
    if (merged || closed) {
      const ended = await hub.call('task.pr.end', { task_id, outcome: merged ? 'merged' : 'closed' })
      const text = closed ? words.closed : ended.stage === 'merged' ? words.merged : words.partly
      return { json: ended, text: io.say(text(ended.handle)) }
    }
    const found = await hub.call('task.pr', { task_id })
    if (url !== undefined) {
      const { commit } = found.plan
      const recorded = await hub.call('task.pr.record', { task_id, commit, url, remote: options.remote })
      return { json: recorded, text: io.say(words.recorded(found.handle, visibleLine(url))) }
    }
    return opening(cx, hub, found, options)
  },
})

async function opening(cx: Context, hub: Connection, found: Found, options: Options): Promise<Answer> {
  const { io } = cx
  const { handle, plan, pull, task_id } = found
  const { title = plan.title, draft = false, remote: wanted } = options
  const wish: Wish = { title, body: textOrFile(options.body, io.cwd) ?? plan.body, draft, remote: wanted }
  const known = pull?.state === 'open' ? pull.url : null
  const commands = await prepare(handle, plan, wish, known !== null, io)
  const { remote, url: to, ...lines } = commands
  const shown = planText(found, wish, { ...lines, to }, known !== null, io)
  if (!options.yes && !(await isWanted(shown, io, cx.global.json === true))) {
    const json = { ...found, commands: known === null ? [lines.push, lines.open] : [lines.push] }
    return { json, text: shown, note: io.say(words.notYet(handle)), code: 1 }
  }
  const { commit, directory } = plan
  await hub.call('task.pr.begin', { task_id, commit, remote })
  await push(handle, lines, directory, io)
  const url = known ?? (await open(handle, lines, wish.body, directory, io))
  const recorded = await hub.call('task.pr.record', { task_id, commit, url, remote })
  const said = known === null ? words.opened(handle, visibleLine(url)) : words.updated(handle, visibleLine(url))
  return { json: recorded, text: io.say(said) }
}

function planText(
  { handle, plan }: Found,
  wish: Wish,
  lines: Commands & { to: string },
  isOpen: boolean,
  io: Io,
): string {
  const typed = isOpen ? [lines.push] : [lines.push, lines.open]
  const said = pairs(
    [
      [io.say(words.title), visibleLine(wish.title)],
      [io.say(words.body), visible(wish.body)],
    ],
    io,
  )
  return [
    io.say(words.where(visibleLine(plan.directory), visibleLine(lines.to))),
    ...typed.map(line => `  $ ${visibleLine(asTyped(line))}`),
    ...(isOpen ? [] : [said]),
    io.say((plan.accepts ? words.accepts : words.leaves)(handle)),
  ].join('\n')
}

/** Prompts only in an interactive terminal; elsewhere the answer is no. */
async function isWanted(shown: string, io: Io, isJson: boolean): Promise<boolean> {
  if (!canAsk(io, isJson)) return false
  io.stdout.write(`${shown}\n`)
  const person = asker(io)
  try {
    return isYes(await person.ask(io.say(words.ask)), false)
  } finally {
    person.close()
  }
}
