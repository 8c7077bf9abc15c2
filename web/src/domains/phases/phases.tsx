import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { Fragment, useMemo, useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { Refused, write } from '../../hub/call.ts'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { type Command, useCommands } from '../../parts/command.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { notify } from '../../parts/notices.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { currentWords } from '../../words/words.ts'
import { AdvanceDialog } from './advance-dialog.tsx'
import { PHASES_KEY } from './live.ts'
import { firstToShow } from './model.ts'
import { PhaseDetail } from './phase-detail.tsx'
import { PromptPanel } from './prompt-panel.tsx'
import { useStatus } from './queries.ts'
import { Stepper } from './stepper.tsx'
import { words as own } from './words.ts'

export function Phases({ project }: { project: string }) {
  const words = useOwnWords(own)
  const cutOff = useCutOff()
  const search = useSearch()
  const found = useStatus(project)
  const [path] = useLocation()
  const onPage = /^\/phases\/prompts\/([^/]+)$/.exec(path)?.[1]
  // The phase whose prompt is edited: it stays in front when an agent goes on to the next, and so does the draft.
  const [edited, setEdited] = useState<string>()
  const [isAdvancing, setAdvancing] = useState(false)
  const { act, isBusy } = useActs(project)
  const phases = found.data?.phases ?? []
  const running = phases.find(({ status }) => status === 'in_progress')
  const failed = phases.find(({ status }) => status === 'failed')
  const isFresh = found.data !== undefined && phases.every(({ status }) => status === 'pending')
  const chosen = onPage ?? new URLSearchParams(search).get('phase')
  const current = phases.find(({ phase }) => phase === chosen)?.phase ?? edited ?? firstToShow(phases)
  const isEditing = edited !== undefined
  const setEditing = (on: boolean) => setEdited(on ? current : undefined)
  usePhaseCommands({
    edit: () => setEditing(true),
    advance: () => running && setAdvancing(true),
    retry: () => failed && void act('retry'),
  })
  if (found.isError && !found.data) return <Failure error={found.error} again={() => void found.refetch()} />
  if (!found.data) return <Bars count={5} height={64} />
  const hrefOf = (phase: string) => {
    const query = new URLSearchParams(search)
    // Of the prompt that is shown, not of another phase's.
    for (const name of ['version', 'with']) query.delete(name)
    query.set('phase', phase)
    return `/phases?${query.toString()}`
  }
  if (onPage !== undefined && phases.some(({ phase }) => phase === onPage))
    return (
      <div className="h-full overflow-y-auto px-6 py-4 max-md:px-3">
        <Link
          href={hrefOf(onPage)}
          className="inline-flex items-center gap-1.5 text-sm text-soft hover:text-ink max-md:h-11"
        >
          <ArrowLeft size={14} aria-hidden="true" /> {words.backTo(phases.findIndex(({ phase }) => phase === onPage))}
        </Link>
        <PromptPanel
          key={onPage}
          project={project}
          phase={onPage}
          isEditing={isEditing}
          setEditing={setEditing}
          isPage
        />
      </div>
    )
  return (
    <div className="h-full overflow-y-auto">
      <div className="flex items-center gap-3 border-b border-line px-6 py-4 max-lg:flex-wrap max-md:px-3">
        <Stepper phases={phases} current={current} hrefOf={hrefOf} />
        <div className="flex gap-2 max-lg:w-full">
          {failed && (
            <Button disabled={cutOff !== undefined || isBusy} title={cutOff} onClick={() => void act('retry')}>
              {words.retry} <KeyHint keys="R" />
            </Button>
          )}
          {running && (
            <Button look="main" disabled={cutOff !== undefined} title={cutOff} onClick={() => setAdvancing(true)}>
              {words.advance} <KeyHint keys="A" />
            </Button>
          )}
        </div>
      </div>
      {isFresh && (
        <Empty title={words.emptyTitle} hint={words.emptyHint}>
          <dl className="grid max-w-xl grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-left text-sm" data-purposes>
            {words.names.map((name, at) => (
              <Fragment key={name}>
                <dt className="font-medium">
                  <span className="text-soft">{at}</span> {name}
                </dt>
                <dd className="text-soft">{words.purposes[at]}</dd>
              </Fragment>
            ))}
          </dl>
          <Button
            look="main"
            disabled={cutOff !== undefined || isBusy}
            title={cutOff}
            onClick={() => void act('start')}
          >
            {words.start}
          </Button>
        </Empty>
      )}
      <div className="grid gap-8 px-6 py-6 max-md:px-3 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        {!isFresh && <PhaseDetail key={current} project={project} phase={current} />}
        <div className={isFresh ? 'lg:col-span-2' : ''}>
          <PromptPanel key={current} project={project} phase={current} isEditing={isEditing} setEditing={setEditing} />
        </div>
      </div>
      {isAdvancing && running && (
        <AdvanceDialog project={project} phase={running.phase} close={() => setAdvancing(false)} />
      )}
    </div>
  )
}

/** What takes one step and asks for nothing more. */
function useActs(project: string) {
  const words = useOwnWords(own)
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const act = async (what: 'start' | 'retry') => {
    setBusy(true)
    try {
      if (what === 'start') await write('phase.start', { project_id: project })
      else await write('phase.retry', { project_id: project })
      notify({ kind: 'done', text: what === 'start' ? words.started : words.retried })
      await queries.invalidateQueries({ queryKey: PHASES_KEY })
    } catch (error) {
      const detail = error instanceof Refused ? error.message : currentWords().error.unreached
      notify({ kind: 'failed', text: what === 'start' ? words.start : words.retry, detail })
    }
    setBusy(false)
  }
  return { act, isBusy }
}

type Acts = { edit: () => void; advance: () => void; retry: () => void }

function usePhaseCommands(acts: Acts): void {
  const now = useRef(acts)
  now.current = acts
  const commands = useMemo(
    (): Command[] => [
      { id: 'phases.edit', title: w => own[w.code].edit, keys: ['e'], run: () => now.current.edit() },
      { id: 'phases.advance', title: w => own[w.code].go, keys: ['A'], run: () => now.current.advance() },
      { id: 'phases.retry', title: w => own[w.code].retry, keys: ['R'], run: () => now.current.retry() },
      {
        id: 'phases.history',
        title: w => own[w.code].versions,
        keys: ['h'],
        run: () => document.querySelectorAll<HTMLElement>('[data-prompt] select')[1]?.focus(),
      },
    ],
    [],
  )
  useCommands(commands)
}
