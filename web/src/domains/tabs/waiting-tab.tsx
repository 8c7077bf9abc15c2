import { SquareTerminal } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { type Command, useCommands } from '../../parts/command.ts'
import { KeyHint } from '../../parts/key-hint.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useDesktop } from '../../parts/use-desktop.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { PhoneKeys } from './phone-keys.tsx'
import { TabTerminal } from './tab-terminal.tsx'
import type { TerminalScreen } from './terminal-screen.ts'
import { words as own } from './words.ts'

type Props = { tabId: string; branch: string; lastLines: string | null }

/** A tab that asks something: its live screen, to be answered right there. */
export function WaitingTab({ tabId, branch, lastLines }: Props) {
  const words = useOwnWords(own)
  const isDesktop = useDesktop()
  const [, navigate] = useLocation()
  const place = useRef<HTMLElement>(null)
  const [screen, setScreen] = useState<TerminalScreen>()
  const address = `/terminals?show=${tabId}`
  const commands = useMemo(
    (): Command[] => [
      { id: 'needs.terminal', title: w => own[w.code].command.open, keys: ['t'], run: () => navigate(address) },
      { id: 'needs.type', title: w => w.command.answer, keys: ['a', 'Enter'], run: () => screen?.focus() },
    ],
    [navigate, address, screen],
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
      <div className="flex flex-wrap items-center gap-3">
        <Link
          href={address}
          className="inline-flex h-8 items-center gap-1.5 rounded-md border border-rule bg-sheet px-3 hover:bg-ai-wash max-md:h-11"
        >
          <SquareTerminal size={16} aria-hidden="true" /> {words.open} <KeyHint keys="t" />
        </Link>
        <span className="text-sm text-soft max-md:hidden">{words.leaveHint}</span>
      </div>
    </>
  )
}
