import { Command as List } from 'cmdk'
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import { useCards } from '../domains/projects/queries.ts'
import { type Command, viewCommands } from '../parts/command.ts'
import { Dialog } from '../parts/dialog.tsx'
import { KeyHint } from '../parts/key-hint.tsx'
import { StatusMark } from '../parts/marks.tsx'
import { SafeText } from '../parts/safe-text.tsx'
import { useStore } from '../parts/use-store.ts'
import { useWords } from '../parts/use-words.ts'
import { overlay, shownKey } from './commands.ts'

const TASKS = 300
const ROW =
  'flex min-h-9 cursor-pointer items-center gap-2 rounded-md px-3 py-1.5 data-[selected=true]:bg-ai-wash max-md:min-h-11'

export function Palette({ commands }: { commands: readonly Command[] }) {
  const words = useWords()
  const own = useStore(viewCommands)
  const cards = useCards().data
  const [, navigate] = useLocation()
  const tasks = useMemo(() => [...(cards?.byId.values() ?? [])].slice(-TASKS).reverse(), [cards])
  const close = () => overlay.set(undefined)
  const run = (action: () => void) => {
    close()
    // When the dialog is gone, and with it the focus that it holds.
    requestAnimationFrame(action)
  }
  return (
    <Dialog label={words.palette.title} close={close} closeLabel={words.keys.close} shape="bare">
      <List label={words.palette.title} className="flex max-h-[60vh] min-h-0 flex-col">
        <List.Input
          data-autofocus
          placeholder={words.palette.placeholder}
          className="h-12 shrink-0 border-b border-line bg-sheet px-4 text-base outline-none"
        />
        <List.List className="min-h-0 overflow-y-auto p-2">
          <List.Empty className="px-3 py-6 text-center text-soft">{words.palette.none}</List.Empty>
          <List.Group
            heading={words.palette.title}
            className="text-base [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-soft"
          >
            {[...own, ...commands]
              .filter(({ onlyKeys }) => !onlyKeys)
              .map(command => (
                <List.Item
                  key={command.id}
                  value={`${command.title(words)} ${command.id}`}
                  className={ROW}
                  onSelect={() => run(command.run)}
                >
                  <span className="flex-1">{command.title(words)}</span>
                  {command.keys?.[0] !== undefined && <KeyHint keys={shownKey(command.keys[0])} />}
                </List.Item>
              ))}
          </List.Group>
          <List.Group
            heading={words.palette.tasks}
            className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-soft"
          >
            {tasks.map(card => (
              <List.Item
                key={card.task_id}
                value={`${card.handle} ${card.title}`}
                className={ROW}
                onSelect={() => run(() => navigate(`/tasks/${card.task_id}`))}
              >
                <StatusMark status={card.status} />
                <span className="min-w-0 flex-1 truncate">
                  <SafeText text={card.title} />
                </span>
                <span className="font-mono text-xs text-soft">{card.handle}</span>
              </List.Item>
            ))}
          </List.Group>
        </List.List>
      </List>
    </Dialog>
  )
}
