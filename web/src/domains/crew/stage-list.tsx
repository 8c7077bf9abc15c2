import { ArrowDown, ArrowUp } from 'lucide-react'
import type { DragEvent, KeyboardEvent } from 'react'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { type Chosen, numbersOf, prompted, put, shifted } from './stages.ts'
import { crewWords } from './words.ts'

const DRAGGED = 'application/x-toryo-role'

type Props = {
  chosen: readonly Chosen[]
  nameOf: (role: string) => string
  change: (chosen: Chosen[]) => void
}

/** Who runs together and who after whom: by drag, by Alt+↑↓, or by the buttons. */
export function StageList({ chosen, nameOf, change }: Props) {
  const words = useOwnWords(crewWords)
  const stages = numbersOf(chosen)
  const accepts = (stage: number) => ({
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes(DRAGGED)) event.preventDefault()
    },
    onDrop: (event: DragEvent) => change(put(chosen, event.dataTransfer.getData(DRAGGED), stage)),
  })
  const move = (role: string, by: 1 | -1) => {
    change(shifted(chosen, role, by))
    keepFocus(role)
  }
  const onKey = (role: string) => (event: KeyboardEvent) => {
    if (!event.altKey || !/^Arrow(?:Up|Down)$/.test(event.key)) return
    event.preventDefault()
    move(role, event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <section aria-label={words.create.stages} className="flex flex-col gap-2" data-stages>
      <h3 className="text-sm font-semibold text-soft">{words.create.stages}</h3>
      {stages.map(stage => (
        <ol
          key={stage}
          aria-label={words.stage(stage + 1)}
          data-stage={stage + 1}
          className="flex flex-col gap-2 rounded-lg border border-line bg-sunk p-2"
          {...accepts(stage)}
        >
          {chosen
            .filter(one => one.stage === stage)
            .map(({ role, prompt }) => (
              <li
                key={role}
                draggable
                data-chosen={role}
                className="flex cursor-grab items-center gap-2 max-md:flex-wrap"
                onDragStart={event => event.dataTransfer.setData(DRAGGED, role)}
                onKeyDown={onKey(role)}
              >
                <span className="w-6 shrink-0 text-sm text-soft">{words.create.stage(stage + 1)}</span>
                <span className="w-28 shrink-0 truncate font-medium">
                  <SafeText text={nameOf(role)} />
                </span>
                <TextField
                  label={words.create.ownPrompt(nameOf(role))}
                  placeholder={words.create.asAbove}
                  value={prompt}
                  className="min-w-0 flex-1"
                  onChange={event => change(prompted(chosen, role, event.target.value))}
                />
                <Shift label={words.create.earlier(nameOf(role))} Icon={ArrowUp} run={() => move(role, -1)} />
                <Shift label={words.create.later(nameOf(role))} Icon={ArrowDown} run={() => move(role, 1)} />
              </li>
            ))}
        </ol>
      ))}
      <p className="text-sm text-soft" {...accepts(stages.length)}>
        {stages.length > 1 ? words.create.sequentialHint : words.create.stagesHint}
      </p>
    </section>
  )
}

/** A role that goes to another stage is drawn again there: the focus goes along, to the same field or button of it. */
function keepFocus(role: string): void {
  const parts = () => document.querySelectorAll<HTMLElement>(`[data-chosen="${CSS.escape(role)}"] :is(input, button)`)
  const at = [...parts()].findIndex(one => one === document.activeElement)
  requestAnimationFrame(() => parts()[at]?.focus())
}

function Shift({ label, Icon, run }: { label: string; Icon: typeof ArrowUp; run: () => void }) {
  return (
    <Button small look="quiet" className="!px-1.5" aria-label={label} title={label} onClick={run}>
      <Icon size={14} aria-hidden="true" />
    </Button>
  )
}
