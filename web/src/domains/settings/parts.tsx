// What the tabs of settings are made of.
import { type ReactNode, useState } from 'react'
import { Refused } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { notify } from '../../parts/notices.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { words as own } from './words.ts'

export function Panel({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <header>
        <h2 className="text-lg font-semibold">{title}</h2>
        {hint !== undefined && <p className="text-soft">{hint}</p>}
      </header>
      {children}
    </section>
  )
}

export function Rows({ children }: { children: ReactNode }) {
  return <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-sheet">{children}</ul>
}

export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd className="line-clamp-any min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type SureProps = { label: string; question: string; done: string; act: () => Promise<unknown> }

/** What cannot be undone is asked once more, where the button was. */
export function Sure({ label, question, done, act }: SureProps) {
  const words = useOwnWords(own)
  const all = useWords()
  const cutOff = useCutOff()
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const go = async () => {
    setBusy(true)
    try {
      await act()
      notify({ kind: 'done', text: done })
    } catch (error) {
      notify({ kind: 'failed', text: label, detail: error instanceof Refused ? error.message : all.error.unreached })
    }
    setBusy(false)
    setAsked(false)
  }
  if (!asked)
    return (
      <Button small disabled={cutOff !== undefined} title={cutOff} onClick={() => setAsked(true)}>
        {label}
      </Button>
    )
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="text-sm">{question}</span>
      <Button small look="danger" disabled={busy} autoFocus onClick={() => void go()}>
        {words.yes}
      </Button>
      <Button small onClick={() => setAsked(false)}>
        {words.no}
      </Button>
    </span>
  )
}
