import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import type { ApiOutput } from '#contract/api.ts'
import { Bars } from '../../parts/bars.tsx'
import { CommandLine } from '../../parts/command-line.tsx'
import { Disclosure } from '../../parts/disclosure.tsx'
import { Failure } from '../../parts/failure.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
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
      {/* The files are other programs' and the entries may be another hub's: the command line asks and says what it did. */}
      <div className="grid gap-3 md:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-1">
          <h3 className="text-sm text-soft">{words.register}</h3>
          <CommandLine text="toryo register" />
        </div>
        <div className="flex min-w-0 flex-col gap-1">
          <h3 className="text-sm text-soft">{words.unregister}</h3>
          <CommandLine text="toryo unregister" />
        </div>
      </div>
    </Panel>
  )
}

function FileRow({ file: { engine, file, state, warning, text, diff } }: { file: File }) {
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
        <details className="group/fold pl-7">
          <summary className="flex cursor-pointer list-none items-center gap-1.5 text-sm text-ai">
            <Disclosure /> {words.diff}
          </summary>
          <pre
            tabIndex={0}
            aria-label={words.diff}
            className="mt-2 overflow-x-auto rounded-lg border border-line bg-sunk px-3 py-2 font-mono text-xs"
          >
            {diff.split('\n').map((line, at) => (
              <span key={at} className={`block ${toneOf(line)}`}>
                <SafeText text={line === '' ? ' ' : line} />
              </span>
            ))}
          </pre>
        </details>
      )}
    </li>
  )
}

/** The names of the files stand behind three signs. */
function toneOf(line: string): string {
  if (/^\+(?!\+\+)/.test(line)) return 'text-matsu'
  return /^-(?!--)/.test(line) ? 'text-shu' : 'text-soft'
}
