import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Link, Redirect, Route, Switch, useLocation, useSearch } from 'wouter'
import { perFrame } from '../hub/batch.ts'
import { call, Unreached } from '../hub/call.ts'
import { EventLine } from '../hub/event-line.ts'
import { signedIn } from '../hub/sign-in.ts'
import { Bars } from '../parts/bars.tsx'
import { Empty } from '../parts/empty.tsx'
import { Otherwise } from '../parts/otherwise.tsx'
import { useStore } from '../parts/use-store.ts'
import { useWords } from '../parts/use-words.ts'
import { Boundary } from './boundary.tsx'
import { heardVersion, offered } from './version-store.ts'
import { useOverBoard } from './over-board.ts'
import { review } from './review.tsx'
import { taskEvents } from './task-events.tsx'
import { Shell } from './shell.tsx'
import { VIEWS } from './views.tsx'
import { decoded } from '../parts/decoded.ts'
import { later } from '../parts/later.tsx'

const NewVersion = later(async () => (await import('./new-version.tsx')).NewVersion)
const LoginCard = later(async () => (await import('./login.tsx')).LoginCard)
const TaskPage = later(async () => (await import('../domains/projects/task-sheet.tsx')).TaskPage)
const TaskSheet = later(async () => (await import('../domains/projects/task-sheet.tsx')).TaskSheet)

/** Events say what changed; nothing grows old on its own. */
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 30 * 60_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
      retry: (count, error) => error instanceof Unreached && count < 3,
    },
  },
})

export function App() {
  const state = useStore(signedIn)
  // What was open stays below the card, with its drafts.
  const [wasIn, setWasIn] = useState(state === 'in')
  useEffect(() => {
    if (state === 'in') setWasIn(true)
  }, [state])
  return (
    <QueryClientProvider client={queries}>
      {wasIn && <SignedIn isIn={state === 'in'} />}
      {state === 'out' && (
        <Suspense>
          <LoginCard isOver={wasIn} />
        </Suspense>
      )}
    </QueryClientProvider>
  )
}

function SignedIn({ isIn }: { isIn: boolean }) {
  const eventLine = useEventLine(isIn)
  const isOffered = useStore(offered) !== undefined
  return (
    <>
      <Boundary name="Toryo" place="">
        <Shell eventLine={eventLine}>
          <Views />
        </Shell>
      </Boundary>
      {isOffered && (
        <Otherwise shown={null}>
          <Suspense>
            <NewVersion />
          </Suspense>
        </Otherwise>
      )}
    </>
  )
}

/** Longer than a slow hub takes; a machine that is gone never answers. */
const STATUS_MS = 20_000

function useEventLine(isIn: boolean): EventLine {
  const [eventLine] = useState(() => {
    // What events change is not drawn at first: its tables come with the first event at the latest, in the order of events.
    const live = import('./live.ts')
    const apply = live.then(({ applier }) => applier(queries))
    const applyChange = live.then(({ changeApplier }) => changeApplier(queries))
    const resync = () => {
      void live.then(({ forgetHeard }) => forgetHeard())
      void queries.invalidateQueries()
    }
    return new EventLine({
      heard: perFrame(events => void apply.then(take => take(events))),
      changed: change => void applyChange.then(take => take(change)),
      resync,
      start: async () => {
        const { value } = await call('hub.status', {}, { signal: AbortSignal.timeout(STATUS_MS) })
        heardVersion(value.version)
        return { seq: value.last_event, at: value.last_event_at }
      },
    })
  })
  const wasOut = useRef(false)
  useEffect(() => {
    if (!isIn) {
      wasOut.current = true
      return undefined
    }
    // What was asked meanwhile was refused.
    if (wasOut.current) void queries.invalidateQueries()
    eventLine.start()
    return () => eventLine.stop()
  }, [eventLine, isIn])
  return eventLine
}

const TASK = /^\/tasks\/([^/]+)$/

function Views() {
  const words = useWords()
  const [path, navigate] = useLocation()
  const search = useSearch()
  const task = TASK.exec(path)?.[1]
  const view = VIEWS.find(({ paths }) => paths.test(path))
  const board = `/board${search === '' ? '' : `?${search}`}`
  const isSheet = useOverBoard(path, task !== undefined)
  const parts = { review, events: taskEvents }
  return (
    <Boundary name={view ? words.nav.views[view.id] : path} place={path}>
      <Suspense fallback={<Bars count={6} height={64} />}>
        <Switch>
          <Route path="/">
            <Redirect to="/needs" replace />
          </Route>
          {task !== undefined && !isSheet && (
            <Route path={TASK}>
              <TaskPage key={task} id={decoded(task)} back={board} {...parts} />
            </Route>
          )}
          {VIEWS.map(({ id, paths, Component }) => (
            <Route key={id} path={paths}>
              <Component />
            </Route>
          ))}
          <Route>
            <Empty title={words.error.missing} hint={words.error.missingHint}>
              <Link
                href="/needs"
                className="inline-flex h-8 items-center rounded-md border border-rule bg-sheet px-3 hover:bg-ai-wash max-md:h-11"
              >
                {words.command.goTo(words.nav.views.needs)}
              </Link>
            </Empty>
          </Route>
        </Switch>
      </Suspense>
      {task !== undefined && isSheet && (
        // The board behind it goes on.
        <Boundary name={words.task} place={path} close={() => navigate(board)}>
          <Suspense>
            <TaskSheet id={decoded(task)} close={() => navigate(board)} {...parts} />
          </Suspense>
        </Boundary>
      )}
    </Boundary>
  )
}
