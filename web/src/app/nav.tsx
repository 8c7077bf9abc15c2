import { Ellipsis, type LucideIcon, PanelLeft, Search, TriangleAlert } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { KeyHint } from '../parts/key-hint.tsx'
import { Mark } from '../parts/empty.tsx'
import { useStore } from '../parts/use-store.ts'
import { useWords } from '../parts/use-words.ts'
import { useEmptyViews } from '../domains/status/queries.ts'
import { fold, folded, overlay, shownKey } from './commands.ts'
import { VIEWS } from './views.tsx'

export type NavItem = {
  id: string
  path: string
  label: string
  icon: LucideIcon
  count: number
  /** Waits for a person; else the count says what is there. */
  isWaiting: boolean
  isHere: boolean
  isNear: boolean
  /** It has nothing to show yet, and stands under "More". */
  isEmpty: boolean
}

/** At the bottom, apart from the work. */
const isLast = ({ id }: NavItem) => id === 'settings'

const WAITING: readonly string[] = ['needs', 'queue', 'changes']

/** `counts`: how much waits or is at work there, by the view's name. */
export function useNavItems(counts: Readonly<Record<string, number>>): NavItem[] {
  const words = useWords()
  const empty = useEmptyViews().data ?? []
  const [path] = useLocation()
  return VIEWS.filter(({ isHidden }) => !isHidden).map(({ id, home, paths, icon, isNear }) => ({
    ...{ id, path: home, label: words.nav.views[id], icon, isNear },
    ...{ count: counts[id] ?? 0, isWaiting: WAITING.includes(id), isHere: paths.test(path) },
    isEmpty: empty.includes(id) && !paths.test(path),
  }))
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
      {items
        .filter(item => !isLast(item) && !item.isEmpty)
        .map(item => (
          <NavLink key={item.path} item={item} query={query} isFolded={isFolded} />
        ))}
      {items.some(({ isEmpty }) => isEmpty) && (
        <button
          type="button"
          title={isFolded ? words.nav.more : undefined}
          className="flex h-8 items-center gap-2.5 rounded-md px-2 text-soft hover:bg-ai-wash hover:text-ink"
          onClick={() => overlay.set('more')}
        >
          <Ellipsis size={16} aria-hidden="true" className="shrink-0" />
          <span className={isFolded ? 'sr-only' : ''}>{words.nav.more}</span>
        </button>
      )}
      <div className="mt-auto">
        {items.filter(isLast).map(item => (
          <NavLink key={item.path} item={item} query={query} isFolded={isFolded} />
        ))}
      </div>
      <button
        type="button"
        aria-label={words.nav.fold}
        aria-pressed={isFolded}
        className="flex h-8 items-center gap-2.5 rounded-md px-2 text-soft hover:bg-ai-wash hover:text-ink"
        title={`${words.nav.fold} (${shownKey('mod+b')})`}
        onClick={fold}
      >
        <PanelLeft size={16} aria-hidden="true" className="shrink-0" />
      </button>
    </nav>
  )
}

function NavLink({ item, query, isFolded }: { item: NavItem; query: string; isFolded: boolean }) {
  const { path, label, icon: Icon, isHere } = item
  return (
    <Link
      href={`${path}${query}`}
      aria-current={isHere ? 'page' : undefined}
      title={isFolded ? label : undefined}
      className={`relative flex h-8 items-center gap-2.5 rounded-md px-2 ${isHere ? 'bg-ai-wash font-medium' : 'text-soft hover:bg-ai-wash hover:text-ink'}`}
    >
      <Icon size={16} aria-hidden="true" className="shrink-0" />
      <span className={isFolded ? 'sr-only' : 'flex-1'}>{label}</span>
      <Count item={item} isFolded={isFolded} />
    </Link>
  )
}

/** With a sign where it warns: colour alone says nothing. */
export function Count({ item: { id, count, isWaiting }, isFolded }: { item: NavItem; isFolded: boolean }) {
  if (count === 0) return null
  const tone = isWaiting ? 'font-medium text-kohaku' : ''
  if (isFolded)
    return isWaiting ? (
      <span className={`absolute top-0 right-0.5 rounded-full bg-sunk px-0.5 text-[10px] leading-3.5 ${tone}`}>
        {count}
      </span>
    ) : null
  return (
    <span className={`inline-flex items-center gap-1 text-sm ${tone}`}>
      {id === 'changes' && <TriangleAlert size={13} aria-hidden="true" />}
      {count}
    </span>
  )
}

/** At the bottom, for thumbs: the nearest views, and the others behind one button. */
export function PhoneNav({ items, query }: { items: readonly NavItem[]; query: string }) {
  const words = useWords()
  const far = items.filter(({ isNear }) => !isNear)
  const tab = (isHere: boolean) =>
    `flex flex-1 flex-col items-center justify-center gap-0.5 text-xs ${isHere ? 'font-medium text-ai' : 'text-soft'}`
  return (
    <nav aria-label={words.nav.label} className="flex h-14 shrink-0 border-t border-line bg-sunk md:hidden">
      {items
        .filter(({ isNear }) => isNear)
        .map(({ path, label, icon: Icon, count, isWaiting, isHere }) => (
          <Link key={path} href={`${path}${query}`} aria-current={isHere ? 'page' : undefined} className={tab(isHere)}>
            <span className="flex items-center gap-1">
              <Icon size={18} aria-hidden="true" />
              {count > 0 && <span className={isWaiting ? 'font-medium text-kohaku' : ''}>{count}</span>}
            </span>
            {label}
          </Link>
        ))}
      <button type="button" className={tab(far.some(({ isHere }) => isHere))} onClick={() => overlay.set('more')}>
        <Ellipsis size={18} aria-hidden="true" />
        {words.nav.more}
      </button>
    </nav>
  )
}
