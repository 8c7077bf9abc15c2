import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import { useState } from 'react'
import type { ApiOutput } from '#contract/api.ts'
import { Refused, write } from '../../hub/call.ts'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Disclosure } from '../../parts/disclosure.tsx'
import { Failure } from '../../parts/failure.tsx'
import { notify } from '../../parts/notices.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { keys } from './live.ts'
import { Panel, Rows } from './parts.tsx'
import { useRegistration } from './queries.ts'
import { words as own } from './words.ts'

type File = ApiOutput<'registration.list'>['files'][number]

export function Registration() {
  const words = useOwnWords(own)
  const found = useRegistration()
  if (found.isError && !found.data) return <Failure error={found.error} again={() => void found.refetch()} />
  if (!found.data) return <Bars count={4} height={56} />
  const { files, problem } = found.data
  const there = files.filter(({ state }) => state !== 'absent')
  return (
    <Panel title={words.tabs.registration} hint={words.registrationHint}>
      {problem !== null && <p className="text-kohaku">{problem}</p>}
      {there.length === 0 ? (
        <p className="text-soft">{words.noFiles}</p>
      ) : (
        <Rows>
          {there.map(file => (
            <FileRow key={`${file.engine} ${file.file}`} file={file} />
          ))}
        </Rows>
      )}
    </Panel>
  )
}

function FileRow({ file: { engine, file, state, warning, text, diff, removal } }: { file: File }) {
  const words = useOwnWords(own)
  const { code } = useWords()
  const Icon = warning ? CircleAlert : state === 'added' ? CircleDashed : CircleCheck
  const tone = warning ? 'text-kohaku' : state === 'added' ? 'text-soft' : 'text-matsu'
  return (
    <li className="flex flex-col gap-1.5 px-4 py-3" data-registration={engine}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Icon size={16} aria-hidden="true" className={`shrink-0 ${tone}`} />
        <span className="font-medium">{engine}</span>
        <code className="line-clamp-any min-w-0 font-mono text-xs text-soft">
          <SafeText text={file} />
        </code>
        <span className={`ml-auto ${tone}`}>{words.states[state] ?? text[code]}</span>
      </div>
      {warning && (
        <p className="line-clamp-any pl-7 text-sm text-soft">
          <SafeText text={text[code]} />
        </p>
      )}
      {diff !== null && (
        <Change label={words.diff} button={words.enter} done={words.entered} diff={diff} file={file} action="enter" />
      )}
      {removal !== null && (
        <Change
          label={words.removal}
          button={words.takeOut}
          done={words.takenOut}
          diff={removal}
          file={file}
          action="take_out"
        />
      )}
    </li>
  )
}

type ChangeProps = {
  label: string
  button: string
  done: string
  diff: string
  file: string
  action: 'enter' | 'take_out'
}

/** The lines first, and under them the button that writes just these. */
function Change({ label, button, done, diff, file, action }: ChangeProps) {
  const words = useOwnWords(own)
  const all = useWords()
  const cutOff = useCutOff()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const apply = async () => {
    setBusy(true)
    try {
      const { value } = await write('registration.apply', { file, action, diff })
      const isDone = !value.warning
      notify({ kind: isDone ? 'done' : 'failed', text: isDone ? done : value.text[all.code] })
    } catch (error) {
      notify({ kind: 'failed', text: button, detail: error instanceof Refused ? error.message : all.error.unreached })
    }
    setBusy(false)
    void queries.invalidateQueries({ queryKey: keys.registration })
  }
  return (
    <details className="group/fold pl-7" data-change={action}>
      <summary className="flex cursor-pointer list-none items-center gap-1.5 text-sm text-ai max-md:min-h-9">
        <Disclosure /> {label}
      </summary>
      <pre
        tabIndex={0}
        aria-label={label}
        className="mt-2 overflow-x-auto rounded-lg border border-line bg-sunk px-3 py-2 font-mono text-xs"
      >
        {diff.split('\n').map((line, at) => (
          <span key={at} className={`block ${toneOf(line)}`}>
            <SafeText text={line === '' ? ' ' : line} />
          </span>
        ))}
      </pre>
      <div className="flex flex-wrap items-center gap-3 py-2">
        <Button small look="main" disabled={busy || cutOff !== undefined} title={cutOff} onClick={() => void apply()}>
          {button}
        </Button>
        <span className="text-sm text-soft">{words.rest}</span>
      </div>
    </details>
  )
}

/** The names of the files stand behind three signs. */
function toneOf(line: string): string {
  if (/^\+(?!\+\+)/.test(line)) return 'text-matsu'
  return /^-(?!--)/.test(line) ? 'text-shu' : 'text-soft'
}
