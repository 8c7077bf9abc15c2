// The order of tasks: what a task waits for, and what it is a part of.
import { z } from 'zod'
import { error, errors } from './errors.ts'
import { eventType } from './events.ts'
import { TaskId } from './id-types.ts'
import { Stage, type TaskStatus } from './projects.ts'
import { STAGE_JA, STATUS_JA } from './state-words.ts'

/** A task, its sub-tasks and theirs. */
export const MOST_LEVELS = 3
/** Of one task. Cancelled ones do not count. */
export const MOST_CHILDREN = 50
/** Of one task. */
export const MOST_DEPENDENCIES = 50
/** Open tasks of one project that one agent has made. */
export const MOST_PLANNED = 200

/** Another task, as a task names it. */
export const TaskRef = z.object({ task_id: TaskId, handle: z.string(), title: z.string(), stage: Stage })
export type TaskRef = z.infer<typeof TaskRef>

/** In a sentence so many are named; the others are counted. */
const NAMED = 5

export const OrderError = errors({
  TASK_CYCLE: error('conflict', (p: { cycle: readonly string[] }) => ({
    en: `That would be a circle in which each task waits for the next: ${p.cycle.join(' → ')}. A task waits for its dependencies and is not done before its sub-tasks; leave out one of these links.`,
    ja: `タスクが循環します: ${p.cycle.join(' → ')}。タスクは依存先を待ち、サブタスクが終わるまで完了しません。いずれかの関係を外してください。`,
  })),
  TASK_DEPTH: error('conflict', (p: { handle: string; parent: string }) => ({
    en: `${p.handle} cannot be a sub-task of ${p.parent}: tasks have at most ${MOST_LEVELS} levels. Choose a parent further up.`,
    ja: `${p.handle} を ${p.parent} のサブタスクにはできません。階層は ${MOST_LEVELS} 段までです。上の階層の親を選んでください。`,
  })),
  TASK_CHILDREN: error('conflict', (p: { handle: string }) => ({
    en: `${p.handle} has ${MOST_CHILDREN} sub-tasks, and cannot have more. Group some of them under a sub-task.`,
    ja: `${p.handle} には既に ${MOST_CHILDREN} 件のサブタスクがあり、これ以上追加できません。サブタスクの下にまとめてください。`,
  })),
  TASK_DEPENDENCIES: error('conflict', (p: { handle: string }) => ({
    en: `${p.handle} would depend on more than ${MOST_DEPENDENCIES} tasks. Put them under one task, and depend on that.`,
    ja: `${p.handle} の依存先が ${MOST_DEPENDENCIES} 件を超えます。1 つのタスクの下にまとめ、それを依存先にしてください。`,
  })),
  OTHER_PROJECT: error('conflict', (p: { handle: string; other: string }) => ({
    en: `${p.handle} and ${p.other} belong to different projects; only tasks of one project can be linked.`,
    ja: `${p.handle} と ${p.other} は別のプロジェクトのタスクです。関係付けられるのは同じプロジェクトのタスクだけです。`,
  })),
  PARENT_CLOSED: error('conflict', (p: { handle: string; status: TaskStatus }) => ({
    en: `${p.handle} is ${p.status} and takes no sub-tasks; reopen it first with \`toryo task move ${p.handle} todo\`.`,
    ja: `${p.handle} の状態が「${STATUS_JA[p.status]}」のため、サブタスクを追加できません。先に \`toryo task move ${p.handle} todo\` で再開してください。`,
  })),
  TASK_HAS_OPEN_CHILDREN: error('conflict', (p: { handle: string; children: readonly string[] }) => ({
    en: `${p.handle} has open sub-tasks: ${some(p.children, 'en')}. It is done when they are accepted or cancelled; the operator may close it now with \`toryo task move ${p.handle} done --force\`.`,
    ja: `${p.handle} には未完了のサブタスクがあります: ${some(p.children, 'ja')}。すべて承認または取り消されると完了できます。オペレーターは \`toryo task move ${p.handle} done --force\` で今すぐ完了にできます。`,
  })),
  TASK_IN_HANDS: error('conflict', (p: { handle: string; agentId: string }) => ({
    en: `${p.handle} is in the hands of agent ${p.agentId} and cannot be changed meanwhile. Link your own tasks after it, or ask the operator.`,
    ja: `${p.handle} はエージェント ${p.agentId} が作業中のため変更できません。自分のタスクの依存先にするか、オペレーターに依頼してください。`,
  })),
  TASK_DOES_NOT_WAIT: error('conflict', (p: { handle: string; agentId: string }) => ({
    en: `${p.handle} does not wait for agent ${p.agentId}: another agent has it, or it is being worked on. No agent was added.`,
    ja: `${p.handle} はエージェント ${p.agentId} を待っていません。別のエージェントの担当か、作業中です。エージェントは追加していません。`,
  })),
  NOT_YOUR_PLAN: error('forbidden', (p: { handle: string }) => ({
    en: `${p.handle} was not added by you; only the operator or the one who added it may cancel it.`,
    ja: `${p.handle} を追加したのはあなたではありません。取り消せるのはオペレーターか追加した本人だけです。`,
  })),
  TASK_REPORTED: error('conflict', (p: { handle: string; stage: Stage }) => ({
    en: `${p.handle} has been reported (stage: ${p.stage}) and cannot be changed by you any more. Add a task for what is left to do, or ask the operator.`,
    ja: `${p.handle} は報告済み (段階: ${STAGE_JA[p.stage]}) のため、あなたからは変更できません。残りの作業は新しいタスクにするか、オペレーターに依頼してください。`,
  })),
  PLAN_LIMIT: error('conflict', (p: { count: number }) => ({
    en: `You have ${p.count} open tasks of your own in this project, and cannot add more. Finish or cancel some first.`,
    ja: `このプロジェクトであなたが追加した未完了のタスクが ${p.count} 件あり、これ以上追加できません。先にいくつか完了するか取り消してください。`,
  })),
})

/** The first few, and how many more. */
export function some(handles: readonly string[], lang: 'en' | 'ja'): string {
  const named = handles.slice(0, NAMED).join(lang === 'en' ? ', ' : '、')
  const more = handles.length - NAMED
  if (more <= 0) return named
  return lang === 'en' ? `${named} and ${more} more` : `${named} ほか ${more} 件`
}

const task = z.object({ taskId: TaskId })
const touches = (p: { taskId: string }) => [`task://${p.taskId}`]
const link = task.extend({ dependsOn: TaskId })
export const TaskLinked = eventType('task.linked', link, touches)
export const TaskUnlinked = eventType('task.unlinked', link, touches)
/** It is a part of another task now, or of none. */
export const TaskNested = eventType('task.nested', task.extend({ parentId: TaskId.nullable() }), touches)
/** All that it depends on is accepted. */
export const TaskReady = eventType('task.ready', task, touches)
