import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import type { CheckView } from '#contract/thread.ts'
import { write } from '../../hub/call.ts'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { CommandLine } from '../../parts/command-line.tsx'
import { TextField } from '../../parts/field.tsx'
import { Labelled } from '../../parts/labelled.tsx'
import { notify } from '../../parts/notices.tsx'
import { Select } from '../../parts/select.tsx'
import { sentence } from '../../parts/sentence.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { commandLine } from './model.ts'
import { checksKey } from './setup-queries.ts'
import { setupWords } from './setup-words.ts'

type Props = {
  check: CheckView
  /** As it is called on a command line. */
  project: string
  found: readonly { command: readonly string[] }[]
  close: () => void
}

export function ChangeCheck({ check, project, found, close }: Props) {
  const { checks: words } = useOwnWords(setupWords)
  const queries = useQueryClient()
  const cutOff = useCutOff()
  const { project_id, name } = check
  const now = commandLine(check.command)
  const [line, setLine] = useState(now)
  const [isRequired, setRequired] = useState(check.required)
  const [minutes, setMinutes] = useState(String(check.minutes))
  const [busy, setBusy] = useState(false)
  const commands = new Map([check, ...found].map(({ command }) => [commandLine(command), [...command]]))
  const command = commands.get(line)
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      const values = { optional: !isRequired, minutes: Number(minutes) }
      await write('project.check.edit', { project_id, name, ...values, ...(line !== now && command && { command }) })
      notify({ kind: 'done', text: words.saved(name) })
      close()
    } catch (error) {
      notify({ kind: 'failed', text: name, detail: sentence(error) })
    }
    setBusy(false)
    await queries.invalidateQueries({ queryKey: checksKey(project_id) })
  }
  return (
    <form
      aria-label={words.changeOf(name)}
      className="flex flex-col gap-2 rounded-lg border border-line bg-sunk p-3"
      onSubmit={event => void save(event)}
    >
      <Labelled text={words.command}>
        <Select
          label={words.command}
          className="font-mono"
          value={line}
          onChange={event => setLine(event.target.value)}
        >
          {[...commands.keys()].map(one => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </Select>
      </Labelled>
      <p className="text-soft">{words.commandHint}</p>
      <CommandLine text={`toryo project check edit ${name} --project ${project} -- <command>`} />
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <label className="flex min-h-8 items-center gap-2 max-md:min-h-11">
          <input type="checkbox" checked={isRequired} onChange={event => setRequired(event.target.checked)} />
          {words.isRequired}
        </label>
        <Labelled text={words.minutesLabel}>
          <TextField
            label={words.minutesLabel}
            inputMode="decimal"
            className="!w-24 text-right"
            value={minutes}
            onChange={event => setMinutes(event.target.value)}
          />
        </Labelled>
        <span className="ml-auto flex gap-2">
          <Button small look="quiet" onClick={close}>
            {words.cancel}
          </Button>
          <Button small look="main" type="submit" disabled={busy || cutOff !== undefined} title={cutOff}>
            {words.save}
          </Button>
        </span>
      </div>
    </form>
  )
}
