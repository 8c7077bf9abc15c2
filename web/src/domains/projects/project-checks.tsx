// What reported work must pass. The hub says what the folder names, and a person chooses: a page sets no commands.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CheckView } from '#contract/thread.ts'
import type { ProjectView } from '#contract/views.ts'
import { write } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { CommandLine } from '../../parts/command-line.tsx'
import { Disclosure } from '../../parts/disclosure.tsx'
import { notify } from '../../parts/notices.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { sentence } from '../../parts/sentence.ts'
import { Sure } from '../../parts/sure.tsx'
import { useOwnWords } from '../../parts/use-words.ts'
import { ChangeCheck } from './change-check.tsx'
import { commandLine } from './model.ts'
import { checksKey, useChecks, useGuess, useSetup } from './setup-queries.ts'
import { setupWords } from './setup-words.ts'

export function ProjectChecks({ project }: { project: ProjectView }) {
  const { checks: words } = useOwnWords(setupWords)
  const { project_id, key, working_directory: directory } = project
  const checks = useChecks(project_id).data
  const guess = useGuess(directory ?? undefined).data
  const setup = useSetup(project_id).data
  if (!checks) return null
  const found = guess?.checks ?? []
  const line =
    guess?.setup && setup?.command === null ? JSON.stringify({ worktrees: { setup: guess.setup } }) : undefined
  return (
    <div className="flex flex-col gap-1 text-sm" data-checks={project_id}>
      <h3 className="text-soft">{words.title}</h3>
      {checks.length === 0 && <p className="text-kohaku">{words.none}</p>}
      <ul className="flex flex-col">
        {checks.map(check => (
          <Check key={check.name} check={check} project={key} found={found} />
        ))}
      </ul>
      <details className="group/fold">
        <summary className="flex min-h-8 w-fit cursor-pointer items-center gap-1 text-ai max-md:min-h-11">
          <Disclosure /> {words.more}
        </summary>
        <More project={project} found={found.filter(({ name }) => !checks.some(check => check.name === name))} />
      </details>
      {checks.length > 0 && line !== undefined && (
        <div className="flex flex-col gap-1" data-needs-setup>
          <p className="text-soft">{words.setup}</p>
          <CommandLine text={`mkdir -p .toryo && echo '${line}' > .toryo/config.json`} />
          <CommandLine text={`toryo project setup ${key} --trust`} />
        </div>
      )}
    </div>
  )
}

type Found = readonly { name: string; command: readonly string[] }[]

function Check({ check, project, found }: { check: CheckView; project: string; found: Found }) {
  const { checks: words } = useOwnWords(setupWords)
  const cutOff = useCutOff()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const { project_id, name, command, required, minutes, trusted } = check
  const ask = async (asked: Promise<unknown>) => {
    await asked
    await queries.invalidateQueries({ queryKey: checksKey(project_id) })
  }
  return (
    <li data-check={name} className="flex flex-col gap-2 py-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{name}</span>
        <code className="line-clamp-any min-w-0 font-mono text-xs">
          <SafeText text={commandLine(command)} />
        </code>
        <span className="text-soft">
          {required ? words.required : words.optional} · {words.minutes(minutes)}
        </span>
        {!trusted && <span className="text-kohaku">{words.untrusted}</span>}
        <span className="ml-auto flex flex-wrap items-center gap-2">
          {!trusted && (
            <Sure
              label={words.allow}
              question={words.allowSure}
              done={words.allowed(name)}
              act={() => ask(write('project.check.trust', { project_id, name, seen: [{ name, command }] }))}
            />
          )}
          {trusted && !isOpen && (
            <Button small disabled={cutOff !== undefined} title={cutOff} onClick={() => setOpen(true)}>
              {words.change}
            </Button>
          )}
          {trusted && (
            <Sure
              label={words.remove}
              question={words.removeSure}
              done={words.removed(name)}
              act={() => ask(write('project.check.remove', { project_id, name }))}
            />
          )}
        </span>
      </div>
      {isOpen && <ChangeCheck {...{ check, project, found }} close={() => setOpen(false)} />}
    </li>
  )
}

function More({ project: { project_id, key }, found }: { project: ProjectView; found: Found }) {
  const { checks: words } = useOwnWords(setupWords)
  const cutOff = useCutOff()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const add = async (name: string, command: readonly string[]) => {
    setBusy(true)
    try {
      await write('project.check.add', { project_id, name, command: [...command] })
      notify({ kind: 'done', text: words.added(name) })
    } catch (error) {
      notify({ kind: 'failed', text: name, detail: sentence(error) })
    }
    await queries.invalidateQueries({ queryKey: checksKey(project_id) })
    setBusy(false)
  }
  return (
    <div className="flex flex-col gap-1 pb-1">
      {found.length > 0 && <p className="text-soft">{words.found}</p>}
      <ul className="flex flex-col">
        {found.map(({ name, command }) => (
          <li key={name} data-found={name} className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1">
            <Button
              small
              aria-label={words.add(name)}
              disabled={busy || cutOff !== undefined}
              title={cutOff}
              onClick={() => void add(name, command)}
            >
              {words.add(name)}
            </Button>
            <code className="line-clamp-any min-w-0 font-mono text-xs">
              <SafeText text={commandLine(command)} />
            </code>
          </li>
        ))}
      </ul>
      <p className="text-soft">{words.anyOther}</p>
      <CommandLine text={`toryo project check add ${key} <name> -- <command>`} />
    </div>
  )
}
