// Recall as callers see it: access, paths, snippets, and a word about what kept the answer from being complete.
import type { Caller } from '#contract/caller.ts'
import type { Text } from '#contract/errors.ts'
import type { FittingDecision, RecallHit } from '#contract/memory.ts'
import { fittingDecisions } from './fitting.ts'
import type { Loader } from './found.ts'
import type { Recall, Recalled, RecallQuery } from './recall.ts'
import type { Handle } from './model.ts'
import type { Memory } from './service.ts'
import { hitView } from './views.ts'

type Question = Omit<RecallQuery, 'project'>

export class Recalling {
  readonly #deps: { memory: Memory; recall: Recall; loader: Loader }

  constructor(deps: { memory: Memory; recall: Recall; loader: Loader }) {
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
  fitting(project: number, task: { title: string; description: string }): Promise<FittingDecision[]> {
    return fittingDecisions(this.#deps.recall, project, task, ids => this.#deps.loader.paths(ids))
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
