import { useQueryClient } from '@tanstack/react-query'
import { CircleHelp, Plus, Search } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react'
import { useLocation } from 'wouter'
import { useWorking } from '../domains/crew/working.ts'
import { RUN_TITLE, runCrew } from '../domains/crew/run-crew-store.ts'
import { ofProject, useInbox } from '../domains/inbox/queries.ts'
import { useNotices } from '../domains/inbox/use-notices.ts'
import { create } from '../domains/projects/new-task-store.ts'
import { addingAgent, addingProject } from '../domains/projects/setup-store.ts'
import { useOverlapCount, useStatus, useTabCount } from '../domains/status/queries.ts'
import { launching } from '../domains/tabs/launch-store.ts'
import { StatusLine } from '../domains/status/status-line.tsx'
import { type EventLine, line } from '../hub/event-line.ts'
import { Announcer } from '../parts/announcer.tsx'
import { Button } from '../parts/button.tsx'
import { useCutOff } from '../parts/can-write.ts'
import { viewCommands } from '../parts/command.ts'
import { KeyHint } from '../parts/key-hint.tsx'
import { Notices } from '../parts/notices.tsx'
import { Otherwise } from '../parts/otherwise.tsx'
import { Opened } from '../parts/typed-ahead.tsx'
import { useProject } from '../parts/use-project.ts'
import { useStore } from '../parts/use-store.ts'
import { useWords } from '../parts/use-words.ts'
import { Boundary } from './boundary.tsx'
import { globalCommands, overlay } from './commands.ts'
import { showCount } from './icon.ts'
import { listenToKeys } from './keys.ts'
import { LiveButton } from './live-button.tsx'
import { Nav, PhoneNav, useNavItems } from './nav.tsx'
import { ProjectPicker } from './project-picker.tsx'
import { VIEWS } from './views.tsx'
import { later } from '../parts/later.tsx'

const LaunchDialog = later(async () => (await import('../domains/tabs/launch.tsx')).LaunchDialog)
const RunCrewDialog = later(async () => (await import('./run-crew.tsx')).RunCrewDialog)
const Ribbon = later(async () => (await import('../domains/demo/ribbon.tsx')).Ribbon)
const Guide = later(async () => (await import('./demo.tsx')).DemoGuide)
const NewTask = later(async () => (await import('../domains/projects/new-task.tsx')).NewTask)
const SetupDialogs = later(async () => (await import('./setup-dialogs.tsx')).SetupDialogs)
const Help = later(async () => (await import('./help.tsx')).Help)
const More = later(async () => (await import('./more.tsx')).More)
const Palette = later(async () => (await import('./palette.tsx')).Palette)

export function Shell({ eventLine, children }: { eventLine: EventLine; children: ReactNode }) {
  const words = useWords()
  const [project, choose] = useProject()
  const all = useInbox().data
  const inbox = ofProject(all ?? [], project)
  useNotices(all)
  const waiting = inbox.length
  const working = (useWorking().data ?? []).filter(one => project === null || one.project_id === project).length
  const items = useNavItems({
    ...{ needs: waiting, queue: inbox.filter(({ kind }) => kind === 'review').length },
    ...{ crew: working, terminals: useTabCount(project).data ?? 0, changes: useOverlapCount(project).data ?? 0 },
  })
  const query = project === null ? '' : `?project=${encodeURIComponent(project)}`
  const [path] = useLocation()
  const view = VIEWS.find(({ paths }) => paths.test(path))
  const title = view ? words.nav.views[view.id] : words.app
  const commands = useGlobalCommands(project, query)
  const open = useStore(overlay)
  const launch = useStore(launching)
  const isRunning = useStore(runCrew) !== undefined
  const isCreating = useStore(create) !== undefined
  const isSettingUp = [useStore(addingProject), useStore(addingAgent) !== undefined].includes(true)
  const isCut = useStore(line).kind === 'cut'
  const isDemo = useStatus().data?.demo === true
  useTitle(title, waiting)
  // When nothing else is to be loaded: the first keys that are typed into it must not be lost. While the hub is away it is not
  // loaded, and is when it is opened.
  useEffect(() => {
    const late = () => [
      ...[NewTask, Palette, LaunchDialog, SetupDialogs, RunCrewDialog, Help, More].map(one => one.ready()),
      // Asked for when the hub is away, and not to be had then.
      import('./live-panel.tsx'),
      import('../parts/asked.tsx'),
      import('./login.tsx'),
    ]
    const load = () => void Promise.all(late()).catch(() => {})
    const timer = setTimeout(load, 1500)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="flex h-dvh min-h-0">
      <a
        href="#view"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-md focus:bg-ai focus:px-3 focus:py-2 focus:text-on-ai"
      >
        {words.skip}
      </a>
      <Nav items={items} query={query} />
      <div className="flex min-w-0 flex-1 flex-col">
        {isDemo && (
          <Otherwise shown={null}>
            <Suspense fallback={<div className="min-h-9 shrink-0 border-b border-line bg-ai-wash" />}>
              <Ribbon />
              <Guide items={all} />
            </Suspense>
          </Otherwise>
        )}
        <Header
          title={title}
          count={items.find(({ isHere, isWaiting }) => isHere && isWaiting)?.count ?? 0}
          project={project}
          choose={choose}
          eventLine={eventLine}
        />
        <main
          id="view"
          tabIndex={-1}
          className={`min-h-0 flex-1 overflow-hidden outline-none ${isCut ? 'border-t-2 border-rule' : ''}`}
        >
          {children}
        </main>
        <StatusLine {...{ waiting, working, project, query }} />
        <PhoneNav items={items} query={query} />
      </div>
      <Notices />
      <Announcer />
      {isCreating && (
        <Over name={words.create.title} close={() => create.set(undefined)}>
          <NewTask />
        </Over>
      )}
      {launch && (
        <Over name={words.command.launch} close={() => launching.set(undefined)}>
          <LaunchDialog wish={launch} addProject={() => addingProject.set(true)} />
        </Over>
      )}
      {isSettingUp && (
        <Over
          name={words.project.pick}
          close={() => {
            addingProject.set(false)
            addingAgent.set(undefined)
          }}
        >
          <SetupDialogs />
        </Over>
      )}
      {isRunning && (
        <Over name={RUN_TITLE[words.code]} close={() => runCrew.set(undefined)}>
          <RunCrewDialog />
        </Over>
      )}
      {open === 'more' && (
        <Over name={words.nav.more} close={closeOverlay}>
          <More items={items} query={query} />
        </Over>
      )}
      {open === 'help' && (
        <Over name={words.keys.title} close={closeOverlay}>
          <Help commands={commands} />
        </Over>
      )}
      {open === 'palette' && (
        <Over name={words.command.palette} close={closeOverlay}>
          <Palette commands={commands} />
        </Over>
      )}
    </div>
  )
}

const closeOverlay = () => overlay.set(undefined)

/** What is loaded when it is opened over the view, and takes nothing else down when it breaks. */
function Over({ name, close, children }: { name: string; close: () => void; children: ReactNode }) {
  return (
    <Boundary name={name} place="" close={close}>
      <Opened>{children}</Opened>
    </Boundary>
  )
}

type HeaderProps = {
  title: string
  count: number
  project: string | null
  choose: (project: string | null) => void
  eventLine: EventLine
}

function Header({ title, count, project, choose, eventLine }: HeaderProps) {
  const words = useWords()
  const cutOff = useCutOff()
  return (
    <header className="flex h-13 shrink-0 items-center gap-3 border-b border-line px-4 max-md:gap-2 max-md:px-3">
      <h1 className="shrink-0 text-lg font-semibold">
        {title} {count > 0 && <span className="font-normal text-kohaku">{count}</span>}
      </h1>
      <ProjectPicker project={project} choose={choose} />
      <div className="ml-auto flex min-w-0 items-center gap-1 max-md:shrink-0">
        <LiveButton eventLine={eventLine} />
        <Button
          look="quiet"
          className="!px-2 md:hidden"
          aria-label={words.command.palette}
          onClick={() => overlay.set('palette')}
        >
          <Search size={16} aria-hidden="true" />
        </Button>
        <Button
          look="quiet"
          className="!px-2 max-md:hidden"
          aria-label={words.command.help}
          onClick={() => overlay.set('help')}
        >
          <CircleHelp size={16} aria-hidden="true" />
        </Button>
        <Button
          look="main"
          disabled={cutOff !== undefined}
          title={cutOff}
          onClick={() => create.set({ title: '', project })}
        >
          <Plus size={16} aria-hidden="true" />
          <span className="max-md:sr-only">{words.board.newTask}</span>
          <KeyHint keys="c" />
        </Button>
      </div>
    </header>
  )
}

function useGlobalCommands(project: string | null, query: string) {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const now = useRef({ project, query })
  now.current = { project, query }
  const commands = useMemo(
    () =>
      globalCommands({
        go: path => navigate(`${path}${now.current.query}`),
        project: () => now.current.project,
        undo: () => void import('../domains/projects/moving.ts').then(({ undo }) => undo(queries)),
      }),
    [navigate, queries],
  )
  useEffect(() => listenToKeys(() => [...commands, ...viewCommands.get()]), [commands])
  return commands
}

/** The count is in the tab of the browser, too: that is where people look from other work. */
function useTitle(title: string, waiting: number): void {
  useEffect(() => {
    // On the icon of an installed page; most browsers without one refuse, and need no word about it.
    void navigator.setAppBadge?.(waiting).catch(() => {})
    showCount(waiting)
    document.title = waiting > 0 ? `(${waiting}) ${title} · Toryo` : `${title} · Toryo`
  }, [title, waiting])
}
