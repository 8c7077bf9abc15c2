import { useMemo, useRef, useState } from 'react'
import { AnswerForm } from '../../parts/answer-form.tsx'
import { type Command, useCommands } from '../../parts/command.ts'
import { SafeText } from '../../parts/safe-text.tsx'
import { useDesktop } from '../../parts/use-desktop.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { PhoneKeys } from './phone-keys.tsx'
import { TabTerminal } from './tab-terminal.tsx'
import type { TerminalScreen } from './terminal-screen.ts'
import { words as own } from './words.ts'

type Props = {
  tabId: string
  branch: string
  lastLines: string | null
  keep: { label: string; run: (text: string) => Promise<void> }
}

/** A tab that asks something: its live screen, to be answered right there. */
export function WaitingTab({ tabId, branch, lastLines, keep }: Props) {
  const words = useOwnWords(own)
  const isDesktop = useDesktop()
  const place = useRef<HTMLElement>(null)
  const [screen, setScreen] = useState<TerminalScreen>()
  const commands = useMemo(
    (): Command[] => [
      { id: 'needs.type', title: w => w.command.answer, keys: ['a', 'Enter'], run: () => screen?.focus() },
    ],
    [screen],
  )
  useCommands(commands)
  return (
    <>
      <section
        ref={place}
        data-tab={tabId}
        tabIndex={-1}
        aria-label={words.screen(branch)}
        className="flex h-90 min-h-0 flex-col overflow-hidden rounded-lg border border-line focus-within:border-ai max-md:h-110"
      >
        <TabTerminal tabId={tabId} leave={() => place.current?.focus()} ready={setScreen} />
        {!isDesktop && <PhoneKeys screen={screen} />}
      </section>
      {!screen && lastLines !== null && (
        <pre className="sr-only">
          <SafeText text={lastLines} />
        </pre>
      )}
      {isDesktop && (
        <AnswerForm about={tabId} rows={1} hint={words.typedHint} send={text => screen?.answer(text)} keep={keep} />
      )}
    </>
  )
}
