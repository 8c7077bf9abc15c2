import { useState } from 'react'
import { call, Refused } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { notify } from '../../parts/notices.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { threadWords } from './words.ts'

/** Answers come in parts; so many are asked for. */
const MOST_PARTS = 20

type Logged = { evidence_id: string; check: string }

/** Loaded when it is asked for: the end alone is mostly enough. */
export function EvidenceLog({ evidence: { evidence_id, check } }: { evidence: Logged }) {
  const words = useOwnWords(threadWords)
  const all = useWords()
  const [text, setText] = useState<string>()
  const [asked, setAsked] = useState(false)
  const load = async () => {
    setAsked(true)
    try {
      setText(await logOf(evidence_id))
    } catch (error) {
      notify({ kind: 'failed', text: check, detail: error instanceof Refused ? error.message : all.error.unreached })
    }
    setAsked(false)
  }
  if (text === undefined)
    return (
      <div className="border-t border-line px-2 py-1">
        <Button small look="quiet" disabled={asked} onClick={() => void load()}>
          {words.wholeLog}
        </Button>
      </div>
    )
  return (
    <pre
      tabIndex={0}
      aria-label={words.log(check)}
      data-log
      className="max-h-96 overflow-auto border-t border-line bg-sunk px-3 py-2 font-mono text-xs"
    >
      <SafeText text={text} />
    </pre>
  )
}

async function logOf(run_id: string): Promise<string> {
  let [text, offset] = ['', 0]
  for (let part = 0; part < MOST_PARTS; part++) {
    const { value } = await call('run.logs', { run_id, offset })
    text += value.text
    if (value.text === '' || value.next_offset === offset) break
    offset = value.next_offset
  }
  return text
}
