// What is searched for in benchmarks: pieces of stored decisions, and what no decision holds.
import type { OpenMemory } from '#test/memory.ts'
import { type Texts, texts } from './texts.ts'

/** Old ones and new ones, by chance. */
export async function someDecisions(memory: OpenMemory, project: number, count: number): Promise<string[]> {
  const [newest] = await memory.services.memory.newestDecisions(project, {}, 1)
  const source = texts(5)
  const found: string[] = []
  while (found.length < count) {
    const before = Math.ceil(source.next() * ((newest?.id ?? 0) + 1))
    const [decision] = await memory.services.memory.newestDecisions(project, { before }, 1)
    if (decision) found.push(decision.decision)
  }
  return found
}

export function presentKeyword(source: Texts, length: number, stored: readonly string[]): string {
  const text = stored[Math.floor(source.next() * stored.length)] as string
  const from = Math.floor(source.next() * (text.length - length))
  return text.slice(from, from + length).trim() || 'a'
}

/** Of characters that do occur, as far as that is possible. */
export function absentKeyword(source: Texts, length: number): string {
  const rare = '鼕爨麤鬱籲'
  const piece = source.word('en').slice(0, Math.max(0, length - 1))
  return `${piece}${rare[Math.floor(source.next() * rare.length)]}`.padStart(length, 'qz').slice(-length)
}
