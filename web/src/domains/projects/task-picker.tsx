// A task, found by typing. Of thousands only the first that fit are drawn.
import { Command as List } from 'cmdk'
import { useMemo, useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { StatusMark } from '../../parts/marks.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useWords } from '../../parts/use-words.ts'
import type { Card } from './model.ts'

const MOST = 30

type Props = { label: string; cards: readonly Card[]; choose: (id: string) => void; close: () => void }

export function TaskPicker({ label, cards, choose, close }: Props) {
  const words = useWords()
  const [text, setText] = useState('')
  const found = useMemo(() => fitting(cards, text), [cards, text])
  return (
    <Dialog label={label} close={close} closeLabel={words.keys.close} shape="bare">
      <List label={label} shouldFilter={false} className="flex max-h-[60vh] min-h-0 flex-col">
        <List.Input
          data-autofocus
          placeholder={label}
          value={text}
          onValueChange={setText}
          className="h-12 shrink-0 border-b border-line bg-sheet px-4 text-base outline-none"
        />
        <List.List className="min-h-0 overflow-y-auto p-2">
          <List.Empty className="px-3 py-6 text-center text-soft">{words.palette.none}</List.Empty>
          {found.map(card => (
            <List.Item
              key={card.task_id}
              value={card.task_id}
              className="flex min-h-9 cursor-pointer items-center gap-2 rounded-md px-3 py-1.5 data-[selected=true]:bg-ai-wash max-md:min-h-11"
              onSelect={() => {
                close()
                choose(card.task_id)
              }}
            >
              <StatusMark status={card.status} />
              <span className="shrink-0 font-mono text-sm text-soft">{card.handle}</span>
              <span className="min-w-0 flex-1 truncate">
                <SafeText text={card.title} />
              </span>
            </List.Item>
          ))}
        </List.List>
      </List>
    </Dialog>
  )
}

/** Each word is in its title or handle. */
function fitting(cards: readonly Card[], text: string): Card[] {
  const wanted = text.toLowerCase().split(/\s+/u).filter(Boolean)
  const found: Card[] = []
  for (const card of cards) {
    const known = `${card.handle} ${card.title}`.toLowerCase()
    if (wanted.every(word => known.includes(word))) found.push(card)
    if (found.length === MOST) break
  }
  return found
}
