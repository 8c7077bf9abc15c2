import { type Command, viewCommands } from '../parts/command.ts'
import { Dialog } from '../parts/dialog.tsx'
import { KeyHint } from '../parts/key-hint.tsx'
import { useStore } from '../parts/use-store.ts'
import { useWords } from '../parts/use-words.ts'
import { overlay, shownKey } from './commands.ts'
import { Looks } from './looks.tsx'

/** The keys of this view, made of the same table that runs them; and how the page looks. */
export function Help({ commands }: { commands: readonly Command[] }) {
  const words = useWords()
  const own = useStore(viewCommands)
  return (
    <Dialog label={words.keys.title} close={() => overlay.set(undefined)} closeLabel={words.keys.close}>
      <div className="flex flex-col gap-5 p-6">
        <h2 className="text-lg font-semibold">{words.keys.title}</h2>
        <div className="grid gap-6 md:grid-cols-2">
          <Keys title={words.keys.here} commands={own} />
          <Keys title={words.keys.everywhere} commands={commands} />
        </div>
        <div className="border-t border-line pt-4">
          <Looks />
        </div>
      </div>
    </Dialog>
  )
}

type Row = Pick<Command, 'id' | 'title'> & { keys: readonly string[]; isRange?: boolean }

/** One for each command that has a key, and one for all of a range. */
function rowsOf(commands: readonly Command[]): Row[] {
  const rows: Row[] = []
  for (const { id, title, keys, row } of commands) {
    if (keys === undefined) continue
    const before = row && rows.find(one => one.title === row)
    if (before) before.keys = [before.keys[0] ?? '', keys[0] ?? '']
    else rows.push(row ? { id, title: row, keys, isRange: true } : { id, title, keys })
  }
  return rows
}

function Keys({ title, commands }: { title: string; commands: readonly Command[] }) {
  const words = useWords()
  const shown = rowsOf(commands)
  return (
    <section>
      <h3 className="pb-1 text-sm font-semibold text-soft">{title}</h3>
      <dl className="flex flex-col">
        {shown.map(({ id, title: name, keys, isRange }) => (
          <div key={id} className="flex min-h-7 items-center justify-between gap-3">
            <dt>{name(words)}</dt>
            <dd className="flex shrink-0 gap-2">
              <span className="sr-only">{keys.map(shownKey).join(isRange ? '–' : ', ')}</span>
              {keys.map((one, at) => (
                <span key={one} className="flex gap-2">
                  {isRange && at > 0 && <span aria-hidden="true">…</span>}
                  <KeyHint keys={shownKey(one)} always />
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
