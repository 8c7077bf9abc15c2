import { type Command, viewCommands } from '../parts/command.ts'
import { Dialog } from '../parts/dialog.tsx'
import { KeyHint } from '../parts/key-hint.tsx'
import { Select } from '../parts/select.tsx'
import { useStore } from '../parts/use-store.ts'
import { useWords } from '../parts/use-words.ts'
import { chooseLanguage } from '../words/words.ts'
import { overlay, shownKey } from './commands.ts'
import { chooseSingleKeys, singleKeys } from './keys.ts'
import { chooseTheme, THEMES, type Theme, theme } from './theme.ts'

/** The keys of this view, made of the same table that runs them; and how the page looks. */
export function Help({ commands }: { commands: readonly Command[] }) {
  const words = useWords()
  const own = useStore(viewCommands)
  const isOn = useStore(singleKeys)
  const chosen = useStore(theme)
  return (
    <Dialog label={words.keys.title} close={() => overlay.set(undefined)} closeLabel={words.keys.close}>
      <div className="flex flex-col gap-5 p-6">
        <h2 className="text-lg font-semibold">{words.keys.title}</h2>
        <div className="grid gap-6 md:grid-cols-2">
          <Keys title={words.keys.here} commands={own} />
          <Keys title={words.keys.everywhere} commands={commands} />
        </div>
        <div className="flex flex-col gap-3 border-t border-line pt-4">
          <label className="grid grid-cols-[auto_1fr] items-center gap-x-2.5">
            <input
              type="checkbox"
              checked={isOn}
              className="size-4 accent-ai"
              onChange={event => chooseSingleKeys(event.target.checked)}
            />
            <span>{words.keys.single}</span>
            <span className="col-start-2 text-sm text-soft">{words.keys.singleHint}</span>
          </label>
          <div className="flex flex-wrap gap-3">
            <Select
              label={words.theme.label}
              value={chosen}
              onChange={event => chooseTheme(event.target.value as Theme)}
            >
              {THEMES.map(one => (
                <option key={one} value={one}>{`${words.theme.label}: ${words.theme[one]}`}</option>
              ))}
            </Select>
            <Select
              label={words.language}
              value={words.code}
              onChange={event => void chooseLanguage(event.target.value === 'ja' ? 'ja' : 'en')}
            >
              <option value="en">English</option>
              <option value="ja">日本語</option>
            </Select>
          </div>
        </div>
      </div>
    </Dialog>
  )
}

function Keys({ title, commands }: { title: string; commands: readonly Command[] }) {
  const words = useWords()
  const shown = commands.filter(({ keys }) => keys !== undefined)
  return (
    <section>
      <h3 className="pb-1 text-sm font-semibold text-soft">{title}</h3>
      <dl className="flex flex-col">
        {shown.map(({ id, title: name, keys }) => (
          <div key={id} className="flex min-h-7 items-center justify-between gap-3">
            <dt>{name(words)}</dt>
            <dd className="flex shrink-0 gap-2">
              <span className="sr-only">{keys?.map(shownKey).join(', ')}</span>
              {keys?.map(one => (
                <KeyHint key={one} keys={shownKey(one)} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
