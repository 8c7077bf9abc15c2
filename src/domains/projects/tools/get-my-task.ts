import { z } from 'zod'
import type { Lang, Text } from '#contract/errors.ts'
import { FittingDecision, TaskDecision } from '#contract/memory.ts'
import { TaskRef } from '#contract/order.ts'
import { OverlapView, Returned } from '#contract/thread.ts'
import { AnswerView, HandoffView, NoteView } from '#contract/views.ts'
import { say } from '#contract/lang.ts'
import { SUCCESS, success, tool } from '#kernel/tool.ts'
import { answerView, handoffView, noteView, taskRef } from '../views.ts'
import { waitsForChildren, waitsForTasks } from '../waiting-text.ts'
import type { Work } from '../work.ts'

const WORK = {
  en: 'Work in working_directory. Save progress with save_context. When you are finished, call report_completed.',
  ja: 'working_directory で作業し、途中経過は save_context で保存してください。終わったら report_completed を呼び出してください。',
}
const AGAIN = {
  en: 'Your work came back; `returned` says why. Fix that, and say in report_completed what you did about each comment (answers).',
  ja: '作業が差し戻されました。理由は `returned` にあります。修正し、各コメントへの対応を report_completed の answers で伝えてください。',
}
const withBase = (base: string) => ({
  en: `Your work came back: it does not go together with what ${base} has become; \`returned\` says where. Commit your work, run \`git merge ${base}\` in working_directory, resolve it so that both changes keep their purpose, and report again.`,
  ja: `作業が差し戻されました。現在の ${base} と合わせると問題があります (詳細は \`returned\`)。作業をコミットし、working_directory で \`git merge ${base}\` を実行して、双方の変更の意図が保たれるように解決してから、もう一度報告してください。`,
})
const inCheckout = (base: string) => ({
  en: `Your work came back: a check failed on its files merged with ${base}, in a clean checkout; \`returned\` has its output. Commit all that your work needs, run \`git merge ${base}\` in working_directory, fix the cause, and report again.`,
  ja: `作業が差し戻されました。${base} とのマージ結果をクリーンなチェックアウトで確認したところ、チェックに失敗しました (出力は \`returned\`)。作業に必要なファイルをすべてコミットし、working_directory で \`git merge ${base}\` を実行して原因を直してから、もう一度報告してください。`,
})
const inWorkspace = ({ branch, base }: { branch: string; base: string | null }) => ({
  en: `Work in working_directory, a checkout of the branch ${branch}${base === null ? '' : ` for ${base}`} that is yours alone; stay on this branch. Commit there, or leave your files as they are: a snapshot is taken when you report. Save progress with save_context. When you are finished, call report_completed.`,
  ja: `working_directory で作業してください。ブランチ ${branch}${base === null ? '' : ` (マージ先: ${base})`} のチェックアウトで、あなた専用です。ブランチは切り替えないでください。コミットしても、ファイルをそのまま残してもかまいません (報告時にスナップショットを取ります)。途中経過は save_context で保存し、終わったら report_completed を呼び出してください。`,
})
const NOTHING = {
  en: 'No task is assigned to you now. Call report_completed with result "success" to end the session.',
  ja: '現在、割り当てられたタスクはありません。result に "success" を指定して report_completed を呼び出し、セッションを終えてください。',
}

const WAITING = {
  en: 'Nothing can be started now. You are started again when it can; call report_completed with result "success" to end the session.',
  ja: '今は着手できるタスクがありません。着手できるようになると再び起動されます。result に "success" を指定して report_completed を呼び出し、セッションを終えてください。',
}

export default tool({
  name: 'get_my_task',
  toolset: 'agent',
  title: 'Get my task',
  description: 'Get the task to work on, with saved progress, handoff notes and earlier decisions that concern it.',
  effect: 'write',
  idempotent: true,
  callers: ['operator', 'agent', 'starter', 'run', 'tab'],
  offeredTo: ['instance'],
  input: z.object({ session_token: z.string().describe('From authenticate') }),
  output: z.object({
    ...success,
    has_task: z.boolean(),
    task: z
      .object({
        task_id: z.string(),
        title: z.string(),
        description: z.string(),
        priority: z.string(),
        working_directory: z.string().nullable(),
        context: NoteView.nullable(),
        answer: AnswerView.nullable().describe('What a person said last while it was blocked'),
        handoff: HandoffView.nullable(),
      })
      .optional(),
    decisions: z.array(FittingDecision).optional().describe('What was decided before that concerns this task'),
    returned: Returned.optional().describe('Why the task came back: checks, review or merge'),
    workspace: z
      .object({ branch: z.string(), base: z.string().nullable() })
      .optional()
      .describe('The branch that working_directory has checked out, and what it is merged into'),
    superseded: z
      .array(TaskDecision)
      .optional()
      .describe('Decisions that this task followed and that others have replaced'),
    overlaps: z
      .array(OverlapView)
      .optional()
      .describe('For information: who else changes the same lines now, or what your work would not merge with'),
    waiting: z
      .array(TaskRef.extend({ waits_for: z.array(TaskRef) }))
      .optional()
      .describe('Tasks of yours that are not to be started yet'),
    instruction: z.string(),
  }),
  prepare: ({ work }: { work: Work }, input, call) =>
    work.place(input.session_token, call.caller, call.connection?.opener),
  async run({ work }: { work: Work }, input, call) {
    const assignment = await work.take(
      input.session_token,
      call.prepared,
      call.caller,
      call.lang,
      call.connection?.opener,
    )
    if (!assignment)
      return { ...SUCCESS, has_task: false, ...nothing(await work.held(input.session_token, call.caller), call.lang) }
    const { task, directory, note, answer, handoff, decisions, briefing, replaced } = assignment
    const { workspace } = briefing
    return {
      ...SUCCESS,
      has_task: true,
      task: {
        task_id: task.id,
        title: task.title,
        description: task.description,
        priority: task.priority,
        working_directory: directory,
        context: note ? noteView(note) : null,
        answer: answer ? answerView(answer, call.lang) : null,
        handoff: handoff ? handoffView(handoff) : null,
      },
      ...(workspace && { workspace: { branch: workspace.branch, base: workspace.base } }),
      ...(decisions.length > 0 && { decisions }),
      ...(replaced.length > 0 && { superseded: replaced }),
      ...(briefing.returned && { returned: briefing.returned }),
      ...(briefing.overlaps.length > 0 && { overlaps: briefing.overlaps }),
      instruction: [
        ...replaced.map(each => say(call.lang, isReplaced(each))),
        ...(briefing.returned ? [say(call.lang, cameBack(briefing.returned))] : []),
        say(call.lang, workspace ? inWorkspace(workspace) : WORK),
      ].join('\n'),
    }
  },
})

function cameBack({ why, base }: Returned): Text {
  if (base === undefined) return AGAIN
  return why === 'checks' ? inCheckout(base) : withBase(base)
}

/** Tasks that wait for others are named with what they wait for. */
function nothing(held: Awaited<ReturnType<Work['held']>>, lang: Lang) {
  if (held.length === 0) return { instruction: say(lang, NOTHING) }
  const why = held.map(({ task, missing, open }) => {
    const text = open.length > 0 ? waitsForChildren(open) : waitsForTasks(task, missing)
    return `${task.handle}: ${say(lang, text)}`
  })
  return {
    waiting: held.map(({ task, missing, open }) => ({
      ...taskRef(task),
      waits_for: [...missing, ...open].map(taskRef),
    })),
    instruction: [...why, say(lang, WAITING)].join('\n'),
  }
}

function isReplaced({ decision_id: id, superseded_by: by }: TaskDecision): Text {
  return {
    en: `Decision ${id}, which this task followed, was replaced by decision ${by}: check what has been done so far against it.`,
    ja: `このタスクが従っていた決定 ${id} は、決定 ${by} に置き換えられました。これまでの作業を新しい決定に照らして確認してください。`,
  }
}
