import { Command as List } from 'cmdk'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { useWords } from './use-words.ts'

export type Option = { id: string; label: string; icon?: ReactNode }

type Props = { label: string; options: readonly Option[]; choose: (id: string) => void; close: () => void }

/** One of a list, found by typing. */
export function Picker({ label, options, choose, close }: Props) {
  const words = useWords()
  return (
    <Dialog label={label} close={close} closeLabel={words.keys.close} shape="bare">
      <List label={label} className="flex max-h-[60vh] min-h-0 flex-col">
        <List.Input
          data-autofocus
          placeholder={label}
          className="h-12 shrink-0 border-b border-line bg-sheet px-4 text-base outline-none"
        />
        <List.List className="min-h-0 overflow-y-auto p-2">
          <List.Empty className="px-3 py-6 text-center text-soft">{words.palette.none}</List.Empty>
          {options.map(({ id, label: name, icon }) => (
            <List.Item
              key={id}
              value={`${name} ${id}`}
              className="flex min-h-9 cursor-pointer items-center gap-2 rounded-md px-3 py-1.5 data-[selected=true]:bg-ai-wash max-md:min-h-11"
              onSelect={() => {
                close()
                choose(id)
              }}
            >
              {icon}
              <span className="min-w-0 flex-1 truncate">{name}</span>
            </List.Item>
          ))}
        </List.List>
      </List>
    </Dialog>
  )
}
