import { Link } from 'wouter'
import { Dialog } from '../parts/dialog.tsx'
import { useDesktop } from '../parts/use-desktop.ts'
import { useWords } from '../parts/use-words.ts'
import { overlay } from './commands.ts'
import { Count, type NavItem } from './nav.tsx'

/** What a phone has no room for at the bottom, and elsewhere the views that have nothing to show yet. */
export function More({ items, query }: { items: readonly NavItem[]; query: string }) {
  const words = useWords()
  const isDesktop = useDesktop()
  const close = () => overlay.set(undefined)
  const row = 'flex min-h-11 items-center gap-3 rounded-md px-3 hover:bg-ai-wash'
  return (
    <Dialog label={words.nav.more} close={close} closeLabel={words.keys.close}>
      <div className="flex flex-col p-3 pt-10">
        {items
          .filter(({ isNear, isEmpty }) => (isDesktop ? isEmpty : !isNear))
          .map(item => (
            <Link
              key={item.path}
              href={`${item.path}${query}`}
              onClick={close}
              aria-current={item.isHere ? 'page' : undefined}
              className={row}
            >
              <item.icon size={18} aria-hidden="true" />
              <span className="flex-1">{item.label}</span>
              <Count item={item} isFolded={false} />
            </Link>
          ))}
      </div>
    </Dialog>
  )
}
