// The one table of what can be done everywhere. Palette, keys and help are made from it and from what the view adds.
import { pageToken, signedOut } from '../hub/sign-in.ts'
import { PAGE_HEADER } from '#contract/limits.ts'
import { createStore } from '../hub/store.ts'
import { RUN_TITLE, runCrew } from '../domains/crew/run-crew-store.ts'
import { create } from '../domains/projects/new-task-store.ts'
import { ADD_AGENT, ADD_PROJECT, addingAgent, addingProject } from '../domains/projects/setup-store.ts'
import { launching } from '../domains/tabs/launch-store.ts'
import type { Command } from '../parts/command.ts'
import type { Words } from '../words/en.ts'
import { chooseLanguage } from '../words/words.ts'
import { chooseTheme } from './theme.ts'
import { VIEWS } from './views.tsx'
import { local } from '../hub/kept.ts'

/** What stands over the view. */
export const overlay = createStore<'palette' | 'help' | 'projects' | 'more' | undefined>(undefined)
export const folded = createStore(local.getItem('toryo.nav') === 'folded')

export type Place = { go: (path: string) => void; project: () => string | null; undo: () => void }

export function globalCommands({ go, project, undo }: Place): Command[] {
  return [
    ...VIEWS.map(({ id, home, keys }) => ({
      ...{ id, title: (w: Words) => w.command.goTo(w.nav.views[id]), keys, run: () => go(home) },
    })),
    { id: 'new', title: w => w.command.newTask, keys: ['c'], run: () => create.set({ title: '', project: project() }) },
    { id: 'launch', title: w => w.command.launch, keys: ['l'], run: () => launching.set({ project: project() }) },
    {
      id: 'run-crew',
      title: w => RUN_TITLE[w.code],
      keys: ['r'],
      run: () => runCrew.set({ project: project() }),
    },
    { id: 'add-project', title: w => ADD_PROJECT[w.code], keys: ['C'], run: () => addingProject.set(true) },
    { id: 'add-agent', title: w => ADD_AGENT[w.code], run: () => addingAgent.set({ project: project() }) },
    {
      id: 'palette',
      title: w => w.command.palette,
      keys: ['mod+k'],
      run: () => overlay.set('palette'),
      onlyKeys: true,
    },
    { id: 'help', title: w => w.command.help, keys: ['?'], run: () => overlay.set('help') },
    { id: 'project', title: w => w.command.project, keys: ['p'], run: () => overlay.set('projects') },
    { id: 'search', title: w => w.command.search, keys: ['/'], run: search, onlyKeys: true },
    { id: 'undo', title: w => w.command.undo, keys: ['u'], run: undo },
    { id: 'back', title: w => w.command.back, keys: ['Escape'], run: () => back(go), onlyKeys: true },
    { id: 'fold', title: w => w.command.fold, keys: ['mod+b'], run: fold },
    { id: 'theme.light', title: w => w.command.themeLight, run: () => chooseTheme('light') },
    { id: 'theme.dark', title: w => w.command.themeDark, run: () => chooseTheme('dark') },
    { id: 'theme.system', title: w => w.command.themeSystem, run: () => chooseTheme('system') },
    { id: 'lang.en', title: w => w.command.english, run: () => void chooseLanguage('en') },
    { id: 'lang.ja', title: w => w.command.japanese, run: () => void chooseLanguage('ja') },
    { id: 'sign-out', title: w => w.command.signOut, run: () => void signOut() },
  ]
}

/** As people read it: `mod` is the key of their system. */
export function shownKey(keys: string): string {
  if (keys === ' ') return 'Space'
  const mod = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'
  const names: Record<string, string> = {
    ...{ ArrowDown: '↓', ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→', Enter: '⏎', Escape: 'Esc' },
  }
  const shown = (key: string) =>
    key.startsWith('Shift+')
      ? `Shift ${names[key.slice(6)] ?? key.slice(6)}`
      : (names[key] ?? key.replace(/^mod\+(.)$/, (_, letter: string) => `${mod} ${letter.toUpperCase()}`))
  return keys.split(' ').map(shown).join(' ')
}

export function fold(): void {
  folded.set(before => !before)
  local.setItem('toryo.nav', folded.get() ? 'folded' : 'open')
}

/** From what is open to the view that it belongs to. What floats over it closes first, which is the browser's own work. */
function back(go: Place['go']): void {
  if (document.querySelector(':popover-open')) return
  const view = VIEWS.find(({ paths }) => paths.test(location.pathname))
  if (view && view.home !== location.pathname) go(view.home)
}

function search(): void {
  const field = document.querySelector('[data-search]')
  if (field instanceof HTMLElement) field.focus()
  else overlay.set('palette')
}

async function signOut(): Promise<void> {
  const token = pageToken()
  await fetch('/logout', { method: 'POST', headers: { [PAGE_HEADER]: token ?? '' } }).catch(() => undefined)
  signedOut(token)
}
