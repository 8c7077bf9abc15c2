import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, CirclePause } from 'lucide-react'
import type { EngineView } from '#contract/views.ts'
import { installLine } from '#contract/known-engines.ts'
import { KNOWN_ENGINES } from '#contract/known-engines.gen.ts'
import { Refused, write } from '../../hub/call.ts'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { CommandLine } from '../../parts/command-line.tsx'
import { Disclosure } from '../../parts/disclosure.tsx'
import { Failure } from '../../parts/failure.tsx'
import { clockTime } from '../../parts/live-time.tsx'
import { notify } from '../../parts/notices.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { keys } from './live.ts'
import { Panel, Rows } from './parts.tsx'
import { useEngines, useVersions } from './queries.ts'
import { words as own } from './words.ts'

export function Engines() {
  const words = useOwnWords(own)
  const found = useEngines()
  const versions = useVersions().data
  if (found.isError && !found.data) return <Failure error={found.error} again={() => void found.refetch()} />
  if (!found.data) return <Bars count={5} height={56} />
  const sorted = [...found.data].sort((a, b) => Number(b.program !== null) - Number(a.program !== null))
  return (
    <Panel title={words.tabs.engines} hint={words.enginesHint}>
      <Rows>
        {sorted.map(engine => (
          <Engine key={engine.engine} engine={engine} version={versions?.get(engine.engine)?.version} />
        ))}
      </Rows>
    </Panel>
  )
}

function Engine({ engine, version }: { engine: EngineView; version: string | undefined }) {
  const words = useOwnWords(own)
  const all = useWords()
  const isFound = engine.program !== null
  const isPaused = engine.paused_until !== null
  const Icon = isPaused ? CirclePause : isFound ? CircleCheck : CircleDashed
  const tone = isPaused ? 'text-kohaku' : isFound ? 'text-matsu' : 'text-soft'
  const state = isPaused
    ? words.paused(clockTime(engine.paused_until ?? '', all.code))
    : isFound
      ? words.found
      : words.missing
  const uses = [...(engine.headless ? [words.headless] : []), ...(engine.terminal ? [words.terminal] : [])]
  return (
    <li className="flex flex-col gap-2 px-4 py-3" data-engine={engine.engine}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Icon size={16} aria-hidden="true" className={`shrink-0 ${tone}`} />
        <span className="font-medium">{engine.engine}</span>
        <span className={tone}>{state}</span>
        {version !== undefined && (
          <span className="text-sm">
            <SafeText text={version} />
          </span>
        )}
        <span className="ml-auto text-sm text-soft">{uses.join(' · ')}</span>
        {isPaused && <Resume engine={engine.engine} />}
      </div>
      {engine.program !== null && (
        <code className="line-clamp-any pl-7 font-mono text-xs text-soft">
          <SafeText text={engine.program} />
        </code>
      )}
      {!isFound && <HowTo id={engine.engine} />}
    </li>
  )
}

function HowTo({ id }: { id: string }) {
  const words = useOwnWords(own)
  const known = KNOWN_ENGINES.find(engine => engine.id === id)
  if (!known) return null
  return (
    <details className="group/fold pl-7">
      <summary className="flex cursor-pointer list-none items-center gap-1.5 text-sm text-ai max-md:min-h-9">
        <Disclosure /> {words.install}
      </summary>
      <div className="flex flex-col gap-2 pt-2">
        <p className="text-sm text-soft">{words.installHint}</p>
        <CommandLine text={installLine(known)} />
        <p className="text-sm text-soft">{words.signIn}</p>
        <CommandLine text={known.signIn.shell} />
      </div>
    </details>
  )
}

function Resume({ engine }: { engine: string }) {
  const words = useOwnWords(own)
  const all = useWords()
  const cutOff = useCutOff()
  const queries = useQueryClient()
  const resume = async () => {
    try {
      await write('engine.resume', { engine })
      notify({ kind: 'done', text: words.resumed(engine) })
      void queries.invalidateQueries({ queryKey: keys.engines })
    } catch (error) {
      notify({ kind: 'failed', text: engine, detail: error instanceof Refused ? error.message : all.error.unreached })
    }
  }
  return (
    <Button small disabled={cutOff !== undefined} title={cutOff} onClick={() => void resume()}>
      {words.resume}
    </Button>
  )
}
