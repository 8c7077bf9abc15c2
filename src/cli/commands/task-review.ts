import type { Client } from '#client/api.ts'
import type { ApiOutput } from '#contract/api.ts'
import type { Text } from '#contract/errors.ts'
import { asker, canAsk, isYes } from '../ask.ts'
import type { Context } from '../context.ts'
import { command } from '../define.ts'
import { CliError } from '../errors.ts'
import { visibleLine } from '../escape.ts'
import { notMerging } from '../merge-text.ts'
import { textOrFile } from '../options.ts'
import { reviewText } from '../review-text.ts'
import { argument } from '../texts-help.ts'

type Options = {
  accept?: boolean
  message?: string
  changes?: string
  commit?: string
  include?: string[]
  by?: string
  anyway?: boolean
  retake?: boolean
}

type Review = ApiOutput<'task.review'>

const again = (value: string, before: unknown) => [...((before as string[] | undefined) ?? []), value]

const words = {
  accepted: (handle: string) => ({ en: `Accepted ${handle}.`, ja: `${handle} を承認しました。` }),
  queued: (handle: string) => ({
    en: `Accepted ${handle}. It is merged next; \`toryo queue\` shows how far it is.`,
    ja: `${handle} を承認しました。次にマージします (\`toryo queue\` で状況を確認できます)。`,
  }),
  back: (handle: string) => ({
    en: `${handle} goes back to its agent, with your comments.`,
    ja: `${handle} をコメントとともにエージェントへ差し戻しました。`,
  }),
  included: (handle: string) => ({
    en: `A new snapshot of ${handle} is taken with these files, and checked again.`,
    ja: `これらのファイルを含めて ${handle} のスナップショットを取り直し、再びチェックします。`,
  }),
  asked: (handle: string, agent: string) => ({
    en: `${agent} reviews ${handle}. \`toryo task show ${handle}\` shows how far it is.`,
    ja: `${agent} が ${handle} をレビューします。状況は \`toryo task show ${handle}\` で確認できます。`,
  }),
  conflict: (handle: string, why: Text) => ({
    en: `${handle} ${why.en}. Accepted, it goes back to its agent: have it resolved (\`--changes "…"\`), or accept it with --anyway.`,
    ja: `${handle} は ${why.ja}。承認してもエージェントに差し戻されます。解消させるか (\`--changes "…"\`)、--anyway を付けて承認してください。`,
  }),
  changedSince: (handle: string, files: string) => ({
    en: `These files of ${handle} were changed in its workspace after the report, and are not merged: ${files}. Take them in with \`--retake\`, or accept it without them with --anyway.`,
    ja: `${handle} のワークスペースでは報告後に次のファイルが変更されており、マージされません: ${files}。\`--retake\` で含めるか、--anyway を付けて含めずに承認してください。`,
  }),
  anyway: { en: 'Accept it anyway? [y/N]', ja: 'それでも承認しますか? [y/N]' },
  notAccepted: (handle: string) => ({ en: `${handle} was not accepted.`, ja: `${handle} は承認していません。` }),
  one: {
    en: 'Give one of --accept, --changes, --include and --by.',
    ja: '--accept、--changes、--include、--by はいずれか 1 つだけを指定してください。',
  },
}

export default command<[task: string], Options>({
  summary: { en: 'Review reported work, and accept it or not', ja: '報告された作業をレビューし、承認・差し戻し' },
  order: 6,
  when: {
    en: 'When an agent has reported: look at the work, accept it or not.',
    ja: '報告された作業を確認し、承認または差し戻すときに。',
  },
  about: {
    en: 'Shows the report, the checks, what to look at, the changed files, the comments and the diff. Comments of yours that are drafts (`toryo task comment`) go out with the verdict.',
    ja: '報告・チェック・要確認の項目・変更ファイル・コメント・diff を表示します。下書きのコメント (`toryo task comment`) は判定と一緒に送られます。',
  },
  arguments: [{ name: '<task>', text: argument.task }],
  options: [
    { flags: '--accept', text: { en: 'Accept the work', ja: '承認する' } },
    { flags: '--message <text | @file>', text: { en: 'What to say with --accept', ja: '--accept に添える文章' } },
    {
      flags: '--changes <summary | @file>',
      text: { en: 'Send it back to its agent: what should change', ja: 'エージェントへ差し戻す: 変更してほしい内容' },
    },
    {
      flags: '--commit <commit>',
      text: {
        en: 'With --accept or --changes: only if its work is still the one that was shown',
        ja: '--accept・--changes とともに指定: 表示時から作業が変わっていない場合だけ判定する',
      },
    },
    {
      flags: '--anyway',
      text: {
        en: 'With --accept: also work that does not merge',
        ja: '--accept とともに指定: マージできない作業も承認する',
      },
    },
    {
      flags: '--include <path>',
      text: {
        en: 'Let in a file that stays out; may be given several times',
        ja: '含めていないファイルを含める (複数指定可)',
      },
      parse: again,
    },
    {
      flags: '--retake',
      text: {
        en: 'Take in what was changed in its workspace after the report, and check it again',
        ja: '報告後にワークスペースで変更されたものを含め、もう一度チェックする',
      },
    },
    {
      flags: '--by <agent>',
      text: {
        en: 'Have an agent review it; it can only read, and not review its own work',
        ja: 'エージェントにレビューさせる (読み取り専用。自分の作業は不可)',
      },
    },
  ],
  examples: [
    ['toryo task review shop-12', { en: 'everything a reviewer needs', ja: 'レビューに必要な情報をすべて表示' }],
    ['toryo task review shop-12 --accept', { en: 'it is merged next', ja: '次にマージされる' }],
    ['toryo task review shop-12 --changes "Please add a test"', { en: 'back to its agent', ja: '差し戻す' }],
    [
      'toryo task review shop-12 --by alice',
      { en: 'an agent reads it and gives the verdict', ja: 'エージェントが読んで判定する' },
    ],
  ],
  output: ['task.review', 'task.verdict', 'task.review.ask', 'task.include'],
  async run(cx, { accept, message, changes, commit, include, by, anyway, retake }, task_id) {
    const { io } = cx
    const chosen = [accept, changes, include, retake, by].filter(one => one !== undefined)
    if (chosen.length > 1) throw CliError.USAGE({ text: words.one })
    const hub = await cx.connect()
    if (include || retake) {
      const snapshot = await hub.call('task.include', { task_id, paths: include ?? [] })
      return { json: snapshot, text: io.say(words.included(task_id)) }
    }
    if (by !== undefined) {
      const asked = await hub.call('task.review.ask', { task_id, agent_id: by })
      return { json: asked, text: io.say(words.asked(asked.handle, visibleLine(asked.review.agent_id))) }
    }
    if (chosen.length === 1) {
      if (accept && !anyway) await askFirst(cx, await hub.call('task.review', { task_id }))
      const decision = accept ? ('accept' as const) : ('changes' as const)
      const summary = textOrFile(accept ? message : changes, io.cwd)
      const seen = commit ?? (await currentCommit(hub, task_id))
      const given = await hub.call('task.verdict', { task_id, decision, summary, commit: seen })
      return { json: given, text: io.say(words[verdictWord(accept, given.stage)](given.handle)) }
    }
    const review = await hub.call('task.review', { task_id })
    return { json: review, text: () => reviewText(review, io) }
  },
})

/** Work that does not merge comes back, and its agent is started for it again, whoever accepts it. */
async function askFirst(cx: Context, { handle, merges_into: into, changed_since: changed }: Review): Promise<void> {
  if (changed.length > 0) await sure(cx, handle, words.changedSince(handle, changed.map(visibleLine).join(', ')))
  if (!into || into.conflicts.length === 0) return
  const why = notMerging(
    into.base,
    into.conflicts.map(({ path }) => path),
  )
  await sure(cx, handle, words.conflict(handle, why))
}

async function sure({ io, global }: Context, handle: string, text: Text): Promise<void> {
  if (!canAsk(io, global.json === true)) throw CliError.FAILED({ text })
  const person = asker(io)
  const answer = await person.ask(`${io.say(text)}\n${io.say(words.anyway)} `)
  person.close()
  if (!isYes(answer, false)) throw CliError.FAILED({ text: words.notAccepted(handle) })
}

/** A verdict names what it is on, so that work which comes in meanwhile is not accepted with it. */
async function currentCommit(hub: Pick<Client, 'call'>, task_id: string): Promise<string | undefined> {
  const { snapshots } = await hub.call('task.show', { task_id })
  return snapshots.find(({ cause }) => cause !== 'end')?.commit ?? undefined
}

function verdictWord(accept: boolean | undefined, stage: string): 'accepted' | 'queued' | 'back' {
  if (!accept) return 'back'
  return stage === 'queued' ? 'queued' : 'accepted'
}
