// The Japanese words of states, for sentences: the same ones that the board shows. English sentences name the value itself.
// Without zod: the dashboard's bundle has them, too.
import type { STAGES, TASK_STATUSES } from './task-values.ts'

export const STATUS_JA: Readonly<Record<(typeof TASK_STATUSES)[number], string>> = {
  backlog: 'バックログ',
  todo: '未着手',
  in_progress: '進行中',
  blocked: 'ブロック',
  done: '完了',
  cancelled: '中止',
}

export const STAGE_JA: Readonly<Record<(typeof STAGES)[number], string>> = {
  planned: '計画',
  waiting: '他のタスク待ち',
  working: '作業中',
  blocked: 'ブロック',
  checking: 'チェック中',
  review: 'レビュー待ち',
  queued: 'マージ待ち',
  merged: 'マージ済み',
  done: '完了',
  cancelled: '中止',
}
