// Questions to the person at the terminal, one after the other.
import { createInterface } from 'node:readline'
import type { Io } from './io.ts'

type Asker = {
  /** Undefined: the person has closed the input (Ctrl-D). */
  ask(question: string): Promise<string | undefined>
  close(): void
}

/** True at a terminal: scripts and `--json` get no questions. */
export function canAsk(io: Io, isJson: boolean): boolean {
  return !isJson && 'isTTY' in io.stdin && io.stdin.isTTY === true && io.width !== undefined
}

/** Keeps lines that arrive before their question, which readline's own `question` loses. */
export function asker(io: Io): Asker {
  const lines: string[] = []
  // An input that has ended already closes no reader.
  let isClosed = io.stdin.readableEnded
  let wake = () => {}
  const reader = createInterface({ input: io.stdin, output: io.stdout })
  reader.on('line', line => {
    lines.push(line)
    wake()
  })
  reader.on('close', () => {
    isClosed = true
    wake()
  })
  return {
    async ask(question) {
      reader.setPrompt(question)
      reader.prompt()
      while (lines.length === 0 && !isClosed) await new Promise<void>(resolve => (wake = resolve))
      // What follows does not stand behind the question.
      if (lines.length === 0) io.stdout.write('\n')
      return lines.shift()
    },
    close: () => reader.close(),
  }
}

/** Enter alone is what stands first in capitals. */
export function isYes(answer: string | undefined, usual: boolean): boolean {
  if (answer === undefined) return false
  if (answer.trim() === '') return usual
  return /^(?:y|yes|はい)$/i.test(answer.trim())
}
