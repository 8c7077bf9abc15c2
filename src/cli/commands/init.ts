import type { Client } from '#client/api.ts'
import type { Text } from '#contract/errors.ts'
import type { ProjectId } from '#contract/id-types.ts'
import { asker, canAsk, isYes } from '../ask.ts'
import { commandLine } from '../check-text.ts'
import { command } from '../define.ts'
import { visibleLine } from '../escape.ts'
import { type Item, type Kind, type Plan, planFor, type State } from '../init/steps.ts'
import { CliError } from '../errors.ts'
import type { Io } from '../io.ts'
import { count } from '../options.ts'

const KINDS: readonly Kind[] = ['project', 'trust', 'check', 'agent']

const words = {
  kind: {
    project: { en: 'project', ja: 'プロジェクト' },
    trust: { en: 'trust in', ja: 'エージェント設定の信頼' },
    check: { en: 'check', ja: 'チェック' },
    agent: { en: 'agent', ja: 'エージェント' },
  } satisfies Record<Kind, Text>,
  state: {
    there: { en: 'already there', ja: '登録済み' },
    missing: { en: 'to be added', ja: '追加予定' },
    added: { en: 'added', ja: '追加しました' },
    declined: { en: 'left out', ja: '追加しませんでした' },
  } satisfies Record<State, Text>,
  repository: {
    en: 'Each task gets a worktree and a branch of its own; nothing is merged before you accept it.',
    ja: 'タスクごとに専用のワークツリーとブランチを作り、承認するまでマージしません。',
  },
  folder: {
    en: 'Not a git repository: agents work in the folder itself, and their report ends a task. Checks, reviews and merges need git.',
    ja: 'git リポジトリではないため、エージェントはフォルダーで直接作業し、報告でタスクが完了します。チェック、レビュー、マージは使えません。',
  },
  ask: {
    project: { en: 'Make this folder a project?', ja: 'このフォルダーをプロジェクトにしますか?' },
    trust: {
      en: 'These files tell agents what to run. Have you looked at them, and may agents follow them?',
      ja: 'これらのファイルはエージェントに実行させる内容を含みます。内容を確認済みで、従わせてよいですか?',
    },
    check: {
      en: 'Must reported work pass these commands? They run on this machine with your rights.',
      ja: '報告された作業にこれらのコマンドの合格を求めますか? このマシンであなたの権限で実行されます。',
    },
    agent: { en: 'Add these agents to the project?', ja: 'これらのエージェントを追加しますか?' },
  } satisfies Record<Kind, Text>,
  archived: (project: string): Text => ({
    en: `The project is archived, and no agent is started for it: \`toryo project activate ${project}\`.`,
    ja: `プロジェクトはアーカイブされているため、エージェントは起動しません: \`toryo project activate ${project}\``,
  }),
  noCommit: {
    en: 'The repository has no commit yet, and a branch for a task needs one: `git add . && git commit`.',
    ja: 'まだコミットがありません。タスクのブランチを作るには必要です: `git add . && git commit`',
  },
  noChecks: {
    en: 'No check was found in the files of this folder. Add one: `toryo project check add test -- <command>`.',
    ja: 'このフォルダーのファイルからチェックを見つけられませんでした。`toryo project check add test -- <コマンド>` で追加できます。',
  },
  noEngine: {
    en: 'No agent program was found (Claude Code, Codex, Gemini CLI, …). `toryo doctor` says how to install one; then run `toryo init` again.',
    ja: 'エージェントのプログラム (Claude Code、Codex、Gemini CLI など) が見つかりません。`toryo doctor` でインストール方法を確認し、もう一度 `toryo init` を実行してください。',
  },
  setup: (command: string, json: string, project: string): Text => ({
    en: `New worktrees have no node_modules, and work is checked in a new one before it is merged. To have \`${command}\` run in each:\n  mkdir -p .toryo && echo '${json}' > .toryo/config.json\n  toryo project setup ${project} --trust`,
    ja: `新しいワークツリーには node_modules がありません。マージ前のチェックも新しいワークツリーで実行されます。\`${command}\` を毎回実行させるには:\n  mkdir -p .toryo && echo '${json}' > .toryo/config.json\n  toryo project setup ${project} --trust`,
  }),
  passkeys: (agent: string): Text => ({
    en: `No passkey is needed for that; \`toryo agent rotate ${agent}\` prints one for your own chat.`,
    ja: `パスキーは不要です。普段のチャットから使う場合は \`toryo agent rotate ${agent}\` で発行できます。`,
  }),
  next: {
    en: 'Next:\n  toryo task add "What is to be done" --start\n  toryo up',
    ja: '次の手順:\n  toryo task add "すること" --start\n  toryo up',
  },
  notYet: {
    en: 'Nothing was changed. `toryo init --yes` does this.',
    ja: 'まだ何も変更していません。`toryo init --yes` で実行します。',
  },
}

type Options = { yes?: boolean; name?: string; agents?: number }

export default command<[], Options>({
  summary: { en: 'Make this folder a project, with checks and agents', ja: 'このフォルダーをプロジェクトにする' },
  group: 'work',
  order: 1,
  when: { en: 'When you begin to use Toryo in a repository.', ja: 'リポジトリで Toryo を使い始めるときに。' },
  about: {
    en: 'Adds the project, asks for trust in agent configuration that it brings, guesses checks (package.json, Makefile, Cargo.toml, pyproject.toml, go.mod), and adds one agent for each agent program that is installed. Asks before each step. Adds only what is missing, so that it can be run again. Exit code 1 when something was left out.',
    ja: 'プロジェクトを追加し、エージェント設定があれば信頼するか確認し、チェックを推測し (package.json、Makefile、Cargo.toml、pyproject.toml、go.mod)、インストール済みのプログラムごとにエージェントを 1 つ追加します。各手順の前に確認します。足りないものだけを追加するため、何度でも実行できます。追加しなかったものがあれば終了コード 1 です。',
  },
  options: [
    { flags: '--yes', text: { en: 'Do not ask; for scripts', ja: '確認せずに実行 (スクリプト用)' } },
    {
      flags: '--agents <number>',
      text: {
        en: 'How many agents in all, each of which does one task at a time (default: one for each program)',
        ja: 'エージェントの総数。それぞれ一度に 1 件のタスクを進める (既定: プログラムごとに 1 つ)',
      },
      parse: agentCount,
    },
    {
      flags: '--name <name>',
      text: { en: "Name of the project (default: the folder's)", ja: 'プロジェクト名 (既定: フォルダー名)' },
    },
  ],
  examples: [
    ['toryo init --agents 3', { en: 'three tasks at a time', ja: '同時に 3 件のタスクを進める' }],
    ['toryo init', { en: 'in a repository; asks before each step', ja: 'リポジトリで実行。各手順の前に確認' }],
    ['toryo init --yes', { en: 'everything, without a question', ja: '確認なしですべて実行' }],
  ],
  output: 'initiated',
  async run(cx, { yes = false, name, agents }) {
    const { io } = cx
    // A hub elsewhere has other folders.
    cx.target()
    const hub = await cx.connect()
    const plan = await planFor(hub, io, { name, agents })
    const isJson = cx.global.json === true
    if (yes) await carryOut(plan, async () => true)
    else if (canAsk(io, isJson)) await withQuestions(plan, io)
    const notes = plan.project ? await notesOn(hub, plan, io) : []
    const isAsked = yes || canAsk(io, isJson)
    const isComplete = plan.items.every(({ state }) => state === 'there' || state === 'added')
    const done = isAsked || isComplete ? nextSteps(plan) : [words.notYet]
    const said = [describe(plan), ...plan.items.map(item => lineOf(item, io))]
    return {
      json: jsonOf(plan, isComplete),
      text: [...said, ...notes, ...done.map(text => io.say(text))].join('\n'),
      code: isComplete ? 0 : 1,
    }

    function describe({ isRepository, project }: Plan): string {
      const hasWorkspaces = project ? project.workspace === 'task' : isRepository
      return io.say(hasWorkspaces ? words.repository : words.folder)
    }
  },
})

const MOST_AGENTS = 50

function agentCount(value: string): number {
  const number = count('--agents', value)
  if (number >= 1 && number <= MOST_AGENTS) return number
  throw CliError.USAGE({
    text: { en: `--agents is from 1 to ${MOST_AGENTS}.`, ja: `--agents は 1 から ${MOST_AGENTS} までです。` },
  })
}

/** In order; without a project there is nothing to add the rest to. */
async function carryOut(plan: Plan, isWanted: (kind: Kind, items: readonly Item[]) => Promise<boolean>): Promise<void> {
  for (const kind of KINDS) {
    const items = plan.items.filter(item => item.kind === kind && item.make !== undefined)
    if (items.length === 0) continue
    const isMade = (kind === 'project' || plan.project !== null) && (await isWanted(kind, items))
    for (const item of items) {
      if (isMade) await item.make?.(plan.project?.project_id ?? ('' as ProjectId))
      item.state = isMade ? 'added' : 'declined'
    }
  }
}

async function withQuestions(plan: Plan, io: Io): Promise<void> {
  const person = asker(io)
  try {
    await carryOut(plan, async (kind, items) => {
      for (const item of items) io.stdout.write(`${lineOf(item, io)}\n`)
      // What a foreign folder brings is not trusted by a slip.
      const usual = kind !== 'trust'
      return isYes(await person.ask(`${io.say(words.ask[kind])} ${usual ? '[Y/n]' : '[y/N]'} `), usual)
    })
  } finally {
    person.close()
  }
}

async function notesOn(hub: Client, plan: Plan, io: Io): Promise<string[]> {
  const {
    project_id,
    key,
    status,
    workspace,
    working_directory: directory,
  } = plan.project as NonNullable<Plan['project']>
  const has = (kind: Kind) => plan.items.some(item => item.kind === kind)
  const notes: Text[] = []
  if (status === 'archived') notes.push(words.archived(key))
  if (!has('agent')) notes.push(words.noEngine)
  if (workspace === 'task' && directory !== null) {
    if (!has('check')) notes.push(words.noChecks)
    if ((await hub.call('branch.list', { project_id })).branches.length === 0) notes.push(words.noCommit)
    const { setup } = await hub.call('project.check.guess', { directory })
    const isSetUp = (await hub.call('worktree.setup.show', { project_id })).command !== null
    if (setup && !isSetUp) notes.push(words.setup(commandLine(setup), JSON.stringify({ worktrees: { setup } }), key))
  }
  return notes.map(text => io.say(text))
}

function nextSteps({ project, items }: Plan): Text[] {
  // Without an agent program, what comes next is to install one; that is said already.
  if (!project || !items.some(({ kind }) => kind === 'agent')) return []
  const added = items.find(({ kind, state }) => kind === 'agent' && state === 'added')
  return [words.next, ...(added ? [words.passkeys(added.name)] : [])]
}

function lineOf({ kind, name, detail, state }: Item, io: Io): string {
  const what = kind === 'trust' ? visibleLine(detail) : `${visibleLine(name)} (${visibleLine(detail)})`
  const { green, yellow, dim } = io.colors
  const colour = { added: green, missing: yellow, declined: yellow, there: dim }[state]
  return `  ${colour(io.say(words.state[state]))}: ${io.say(words.kind[kind])} ${what}`
}

function jsonOf({ directory, isRepository, project, items }: Plan, complete: boolean) {
  const steps = items.map(({ kind, name, detail, state }) => ({ step: kind, name, detail, state }))
  return { directory, repository: isRepository, project, steps, complete }
}
