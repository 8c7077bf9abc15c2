// The output of a program for people who read along: what it says, and each call in one line.
import { withoutSecrets } from '#contract/secrets.ts'
import type { Engine } from './engine.ts'
import type { Fact } from './facts.ts'

export type Activity = { kind: 'says' | 'does' | 'result' | 'failed' | 'trouble'; text: string; more?: boolean }

/** `folder`: where it works; paths there are named from it on. Undefined for what no one follows. Calls of our own server carry credentials, which are not repeated. */
export function activityOf(fact: Fact, folder: string | null = null): Activity | undefined {
  const seen = plainly(fact)
  if (!seen) return undefined
  // A worktree's path is so long that the file's name would be cut off.
  const isCall = folder !== null && folder.length > 1 && seen.kind !== 'says'
  return { ...seen, text: withoutSecrets(isCall ? seen.text.replaceAll(`${folder}/`, '') : seen.text) }
}

function plainly(fact: Fact): Activity | undefined {
  switch (fact.kind) {
    case 'message':
      return { kind: 'says', text: fact.text, ...(fact.more && { more: true }) }
    case 'tool':
      return { kind: 'does', text: fact.about ? `${nameOf(fact.name)} ${fact.about}` : nameOf(fact.name) }
    case 'result':
      return fact.text.trim() === '' ? undefined : { kind: fact.failed ? 'failed' : 'result', text: fact.text }
    case 'denied':
      return { kind: 'failed', text: `${nameOf(fact.name)}: denied` }
    case 'trouble':
    case 'quota':
      return { kind: 'trouble', text: fact.message }
    case 'end':
      return fact.outcome === 'success' ? undefined : { kind: 'trouble', text: fact.message ?? fact.reason }
    default:
      return undefined
  }
}

/** The last that it did or said, in the end of its output. */
export function lastAction(
  engine: Pick<Engine, 'reader'>,
  output: string,
  folder: string | null = null,
): string | undefined {
  const reader = engine.reader()
  const facts = [...reader.push(Buffer.from(output)), ...reader.end()]
  const seen = facts.flatMap(fact => activityOf(fact, folder) ?? [])
  const last = seen.findLast(({ kind, text }) => kind !== 'result' && text.trim() !== '')
  return last?.text.trim()
}

/** Programs name a server's tools `mcp__server__tool`. */
function nameOf(name: string): string {
  return name.replace(/^mcp__(\w+?)__/, '$1 ')
}
