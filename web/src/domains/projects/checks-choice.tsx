import type { ApiOutput } from '#contract/api.ts'
import { ListChecks } from 'lucide-react'
import { CommandLine } from '../../parts/command-line.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { commandLine } from './model.ts'
import { setupWords } from './setup-words.ts'

export type Checks = ApiOutput<'project.check.guess'>['checks']

type Props = {
  checks: Checks
  /** Names of those that are not wanted. */
  left: readonly string[]
  needsSetup: boolean
  choose: (name: string, isWanted: boolean) => void
}

/** What the hub found in the folder; a person says which of it reported work must pass. */
export function ChecksChoice({ checks, left, needsSetup, choose }: Props) {
  const { checks: words } = useOwnWords(setupWords)
  return (
    <div className="flex items-start gap-2 text-sm" data-found-checks>
      <ListChecks size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-soft" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p>{checks.length === 0 ? words.noneFound : words.ask}</p>
        {checks.length === 0 && <CommandLine text="toryo project check add test -- <command>" />}
        {checks.map(({ name, command }) => (
          <label key={name} className="flex items-center gap-2 max-md:min-h-11">
            <input
              type="checkbox"
              checked={!left.includes(name)}
              onChange={event => choose(name, event.target.checked)}
            />
            <span>{name}</span>
            <code className="line-clamp-any min-w-0 font-mono text-xs text-soft">
              <SafeText text={commandLine(command)} />
            </code>
          </label>
        ))}
        {checks.length > 0 && needsSetup && <p className="text-soft">{words.needsSetup}</p>}
      </div>
    </div>
  )
}
