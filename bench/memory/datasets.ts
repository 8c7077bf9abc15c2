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
    qa: { question: string; evidence?: string | string[] }[]
  }[]
  return conversations.map(({ conversation, qa }) => {
    const passages = Object.entries(conversation).flatMap(([session, turns]) =>
      /^session_\d+$/.test(session) && Array.isArray(turns)
        ? (turns as { dia_id: string; speaker: string; text?: string; blip_caption?: string }[]).map(turn => ({
            key: turn.dia_id,
            topic: `${session} ${textOf(conversation[`${session}_date_time`])}`,
            text: `${turn.speaker}: ${turn.text ?? ''}${turn.blip_caption ? ` [${turn.blip_caption}]` : ''}`,
          }))
        : [],
    )
    const keys = new Set(passages.map(passage => passage.key))
    const questions = qa.flatMap(({ question, evidence = [] }) => {
      const wanted = [evidence]
        .flat()
        .flatMap(dialogueIds)
        .filter(key => keys.has(key))
      return wanted.length > 0 ? [{ query: question, wanted }] : []
    })
    return { passages, questions }
  })
}

/** The published file has also "D8:6; D9:17", "D9:1 D4:4 D4:6", "D:11:26", "D30:05" and a bare "D". */
function dialogueIds(evidence: string): string[] {
  return [...evidence.matchAll(/D:?(\d+):(\d+)/g)].map(([, session, turn]) => `D${Number(session)}:${Number(turn)}`)
}

/**
 * JSQuAD: every sentence is one record, every article a topic; the wanted sentence is the one with the answer. A context
 * begins with its article's title, which is the topic here; a question whose answers are all in that title asks for no
 * sentence. (Several people answered the questions of the test set, and not all with the same place.)
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
        const index = answers
          .map(({ answer_start }) => unitsBefore(context, answer_start))
          .map(at => sentences.findLastIndex(sentence => sentence.start <= at))
          .find(found => found >= 0)
        if (index !== undefined) questions.push({ query: question, wanted: [keyOf(index)] })
      }
    }
  return [{ passages, questions }]
}

/** Their places count characters, ours count UTF-16 units: from the first 𠮷 on the two differ. */
function unitsBefore(text: string, characters: number): number {
  return Array.from(text).slice(0, characters).join('').length
}

function sentencesOf(context: string): { start: number; text: string }[] {
  const mark = ' [SEP] '
  const body = context.includes(mark) ? context.indexOf(mark) + mark.length : 0
  return [...context.slice(body).matchAll(/[^。]+。?/g)].flatMap(match =>
    match[0].trim() === '' ? [] : [{ start: body + match.index, text: match[0].trim() }],
  )
}

function readJson(folder: string, name: RegExp): unknown {
  // In the order of their names: which one it is must not depend on the disk.
  const [file] = existsSync(folder)
    ? readdirSync(folder)
        .filter(one => name.test(one))
        .sort()
    : []
  if (file === undefined) throw new Error(`${folder} holds no file like ${name.source}`)
  console.log(`reading ${file}`)
  return JSON.parse(readFileSync(join(folder, file), 'utf8'))
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
