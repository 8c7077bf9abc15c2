import { Inbox, type LucideIcon, PanelLeft, Search, SlidersHorizontal, SquareKanban } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { KeyHint } from '../parts/key-hint.tsx'
import { Mark } from '../parts/empty.tsx'
import { useStore } from '../parts/use-store.ts'
import { useWords } from '../parts/use-words.ts'
import { folded, overlay, shownKey } from './commands.ts'

export type NavItem = { path: string; label: string; icon: LucideIcon; count: number; isHere: boolean }

export function useNavItems(waiting: number): NavItem[] {
  const words = useWords()
  const [path] = useLocation()
  return [
    { path: '/needs', label: words.nav.needs, icon: Inbox, count: waiting, isHere: path.startsWith('/needs') },
    { path: '/board', label: words.nav.board, icon: SquareKanban, count: 0, isHere: /^\/(board|tasks)/.test(path) },
  ]
}

export function Nav({ items, query }: { items: readonly NavItem[]; query: string }) {
  const words = useWords()
  const isFolded = useStore(folded)
  return (
    <nav
      aria-label={words.nav.label}
      className={`flex shrink-0 flex-col gap-1 border-r border-line bg-sunk p-2 max-md:hidden ${isFolded ? 'w-13' : 'w-52'}`}
    >
      <Link
        href="/needs"
        className="flex h-10 items-center gap-2 rounded-md px-1.5 font-semibold"
        aria-label={words.app}
      >
        <Mark size={24} />
        {!isFolded && <span>{words.app}</span>}
      </Link>
      <button
        type="button"
        aria-label={isFolded ? words.command.palette : undefined}
        className="mb-2 flex h-8 items-center gap-2 rounded-md border border-line bg-sheet px-2 text-soft hover:border-rule"
        onClick={() => overlay.set('palette')}
      >
        <Search size={14} aria-hidden="true" className="shrink-0" />
        {!isFolded && (
          <>
            <span className="flex-1 text-left">{words.nav.search}</span>
            <KeyHint keys={shownKey('mod+k')} />
          </>
        )}
      </button>
      {items.map(item => (
        <NavLink key={item.path} item={item} query={query} isFolded={isFolded} />
      ))}
      <button
        type="button"
        aria-label={isFolded ? words.menu.settings : undefined}
        className="mt-auto flex h-8 items-center gap-2.5 rounded-md px-2 text-soft hover:bg-ai-wash hover:text-ink"
        onClick={() => overlay.set('help')}
      >
        <SlidersHorizontal size={16} aria-hidden="true" className="shrink-0" />
        {!isFolded && <span className="flex-1 text-left">{words.menu.settings}</span>}
      </button>
      <button
        type="button"
        aria-label={words.nav.fold}
        aria-pressed={isFolded}
        className="flex h-8 items-center gap-2.5 rounded-md px-2 text-soft hover:bg-ai-wash hover:text-ink"
        onClick={() => folded.set(before => !before)}
      >
        <PanelLeft size={16} aria-hidden="true" className="shrink-0" />
      </button>
    </nav>
  )
}

function NavLink({ item, query, isFolded }: { item: NavItem; query: string; isFolded: boolean }) {
  const { path, label, icon: Icon, count, isHere } = item
  return (
    <Link
      href={`${path}${query}`}
      aria-current={isHere ? 'page' : undefined}
      title={isFolded ? label : undefined}
      className={`flex h-8 items-center gap-2.5 rounded-md px-2 ${isHere ? 'bg-ai-wash font-medium' : 'text-soft hover:bg-ai-wash hover:text-ink'}`}
    >
      <Icon size={16} aria-hidden="true" className="shrink-0" />
      <span className={isFolded ? 'sr-only' : 'flex-1'}>{label}</span>
      {count > 0 && !isFolded && <span className="text-sm font-medium text-kohaku">{count}</span>}
    </Link>
  )
}

/** At the bottom, for thumbs. */
export function PhoneNav({ items, query }: { items: readonly NavItem[]; query: string }) {
  const words = useWords()
  return (
    <nav aria-label={words.nav.label} className="flex h-14 shrink-0 border-t border-line bg-sunk md:hidden">
      {items.map(({ path, label, icon: Icon, count, isHere }) => (
        <Link
          key={path}
          href={`${path}${query}`}
          aria-current={isHere ? 'page' : undefined}
          className={`flex flex-1 flex-col items-center justify-center gap-0.5 text-xs ${isHere ? 'font-medium text-ai' : 'text-soft'}`}
        >
          <span className="flex items-center gap-1">
            <Icon size={18} aria-hidden="true" />
            {count > 0 && <span className="font-medium text-kohaku">{count}</span>}
          </span>
          {label}
        </Link>
      ))}
      <button
        type="button"
        className="flex flex-1 flex-col items-center justify-center gap-0.5 text-xs text-soft"
        onClick={() => overlay.set('help')}
      >
        <SlidersHorizontal size={18} aria-hidden="true" />
        {words.menu.settings}
      </button>
    </nav>
  )
}
