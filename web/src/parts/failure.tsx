import { Refused } from '../hub/call.ts'
import { Button } from './button.tsx'
import { useWords } from './use-words.ts'

/** The hub's own sentence, which names the next step. */
export function Failure({ error, again }: { error: unknown; again: () => void }) {
  const words = useWords()
  const refused = error instanceof Refused ? error : undefined
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-start gap-3 px-6 py-12">
      <h2 className="text-lg font-semibold">{words.error.title}</h2>
      <p>{refused?.message ?? words.error.unreached}</p>
      {refused && <code className="font-mono text-xs text-soft">{refused.code}</code>}
      <Button onClick={again}>{words.error.again}</Button>
    </div>
  )
}

/** Why what was sent was refused, beside the field that it was written in. */
export function Refusal({ text, className = '' }: { text: string | undefined; className?: string }) {
  if (text === undefined) return null
  return (
    <p role="alert" className={`text-shu ${className}`}>
      {text}
    </p>
  )
}
