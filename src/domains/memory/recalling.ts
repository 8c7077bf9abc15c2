// Recall as callers see it: access, paths, snippets, and a word about what kept the answer from being complete.
import type { Caller } from '#contract/caller.ts'
import type { Text } from '#contract/errors.ts'
import type { TaskId } from '#contract/id-types.ts'
import type { FittingDecision, RecallHit } from '#contract/memory.ts'
import { fittingDecisions } from './fitting.ts'
import type { Loader } from './found.ts'
import type { Recall, Recalled, RecallQuery } from './recall.ts'
import type { Handle } from './model.ts'
import type { Memory } from './service.ts'
import type { TaskDecisions } from './task-decisions.ts'
import { hitView } from './views.ts'

type Question = Omit<RecallQuery, 'project'>

export class Recalling {
  readonly #deps: { memory: Memory; recall: Recall; loader: Loader; taskDecisions: TaskDecisions }

  constructor(deps: { memory: Memory; recall: Recall; loader: Loader; taskDecisions: TaskDecisions }) {
    this.#deps = deps
  }

  async answer(handle: Handle, question: Question, by: Caller): Promise<{ results: RecallHit[]; notice?: Text }> {
    const project = await this.#deps.memory.project(handle, by)
    if (question.topicId !== undefined) await this.#deps.memory.topicOf(project.number, question.topicId)
    const recalled = await this.#deps.recall.find({ ...question, project: project.number })
    const paths = await this.#deps.loader.paths(recalled.hits.flatMap(hit => hit.topicId ?? []))
    const results = recalled.hits.map(hit => hitView(hit, question.queries, paths))
    const notice = noticeOf(recalled)
    return { results, ...(notice && { notice }) }
  }

  /** What was decided that a task should know. By words alone: it is asked inside transactions. */
  async fitting(project: number, task: { id: TaskId; title: string; description: string }): Promise<FittingDecision[]> {
    const { recall, loader, taskDecisions } = this.#deps
    const own = await taskDecisions.standing(task.id)
    return fittingDecisions(recall, project, task, ids => loader.paths(ids), own)
  }
}

function noticeOf({ semantic, indexing }: Recalled): Text | undefined {
  if (indexing)
    return {
      en: `The index is being rebuilt (${indexing.done} of ${indexing.total}); older records may be missing. Ask again in a while.`,
      ja: `索引を作り直しています (${indexing.done} / ${indexing.total})。古い記録が抜けている場合があります。しばらくして再度お試しください。`,
    }
  if (semantic !== 'down') return undefined
  return {
    en: 'The embedder did not answer; these results come from words alone.',
    ja: '埋め込みサーバーが応答しません。結果は語の一致だけによるものです。',
  }
}
