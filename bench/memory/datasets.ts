// Public question sets from a folder that the user names. Nothing of them is part of this repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Passage = { key: string; topic: string; text: string }
export type Question = { query: string; wanted: string[] }
/** Each is searched in a project of its own. */
export type Collection = { passages: Passage[]; questions: Question[] }

/** LoCoMo: every turn is one record, every session a topic; questions name their evidence by dialogue id. */
export function loCoMo(folder: string): Collection[] {
  const conversations = readJson(folder, /^locomo.*\.json$/) as {
    conversation: Record<string, unknown>
    qa: { question: string; evidence?: string[] }[]
  }[]
  return conversations.map(({ conversation, qa }) => {
    const passages = Object.entries(conversation).flatMap(([session, turns]) =>
      /^session_\d+$/.test(session) && Array.isArray(turns)
        ? (turns as { dia_id: string; speaker: string; text: string; blip_caption?: string }[]).map(turn => ({
            key: turn.dia_id,
            topic: `${session} ${textOf(conversation[`${session}_date_time`])}`,
            text: `${turn.speaker}: ${turn.text}${turn.blip_caption ? ` [${turn.blip_caption}]` : ''}`,
          }))
        : [],
    )
    const keys = new Set(passages.map(passage => passage.key))
    const questions = qa.flatMap(({ question, evidence = [] }) => {
      const wanted = evidence.flatMap(item => item.split(/[;,\s]+/)).filter(key => keys.has(key))
      return wanted.length > 0 ? [{ query: question, wanted }] : []
    })
    return { passages, questions }
  })
}

/**
 * JSQuAD: every sentence is one record, every article a topic; the wanted sentence is the one with the answer. A context
 * begins with its article's title, which is the topic here; a question whose answer is that title asks for no sentence.
 */
export function jsquad(folder: string): Collection[] {
  const { data } = readJson(folder, /^(valid|dev|test).*\.json$/) as {
    data: {
      title: string
      paragraphs: { context: string; qas: { question: string; answers: { answer_start: number }[] }[] }[]
    }[]
  }
  const passages: Passage[] = []
  const questions: Question[] = []
  for (const [article, { title, paragraphs }] of data.entries())
    for (const [paragraph, { context, qas }] of paragraphs.entries()) {
      const sentences = sentencesOf(context)
      const keyOf = (index: number) => `${article}.${paragraph}.${index}`
      for (const [index, { text }] of sentences.entries()) passages.push({ key: keyOf(index), topic: title, text })
      for (const { question, answers } of qas) {
        const at = answers[0]?.answer_start ?? -1
        const index = sentences.findLastIndex(sentence => sentence.start <= at)
        if (index >= 0) questions.push({ query: question, wanted: [keyOf(index)] })
      }
    }
  return [{ passages, questions }]
}

function sentencesOf(context: string): { start: number; text: string }[] {
  const mark = ' [SEP] '
  const body = context.includes(mark) ? context.indexOf(mark) + mark.length : 0
  return [...context.slice(body).matchAll(/[^。]+。?/g)].flatMap(match =>
    match[0].trim() === '' ? [] : [{ start: body + match.index, text: match[0].trim() }],
  )
}

function readJson(folder: string, name: RegExp): unknown {
  const file = existsSync(folder) ? readdirSync(folder).find(one => name.test(one)) : undefined
  if (file === undefined) throw new Error(`${folder} holds no file like ${name.source}`)
  return JSON.parse(readFileSync(join(folder, file), 'utf8'))
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
