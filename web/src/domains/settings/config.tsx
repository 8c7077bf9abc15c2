// What people set, with where each value comes from. One value is written at a time, never over a change that was not seen.
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { ApiOutput } from '#contract/api.ts'
import { Refused, write } from '../../hub/call.ts'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Failure } from '../../parts/failure.tsx'
import { TextField } from '../../parts/field.tsx'
import { notify } from '../../parts/notices.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Select } from '../../parts/select.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { configWords } from './config-words.ts'
import { keys } from './live.ts'
import { Panel, Rows } from './parts.tsx'
import { useConfig } from './queries.ts'

type Config = ApiOutput<'config.show'>
type Setting = Config['settings'][number]
type Value = Setting['value']

export function ConfigPanel() {
  const words = useOwnWords(configWords)
  const found = useConfig()
  if (found.isError && !found.data) return <Failure error={found.error} again={() => void found.refetch()} />
  if (!found.data) return <Bars count={6} height={44} />
  const { file, problem, settings, others } = found.data
  return (
    <Panel title={words.title} hint={words.hint}>
      <p className="line-clamp-any text-sm text-soft">
        {words.file}: <code className="font-mono text-xs">{file}</code>
      </p>
      {problem !== null && (
        <div role="alert" className="rounded-lg border border-shu bg-shu-wash px-4 py-2 text-sm">
          <p>{words.problem}</p>
          <p className="line-clamp-any font-mono text-xs whitespace-pre-wrap">
            <SafeText text={problem} />
          </p>
        </div>
      )}
      <Rows>
        {settings.map(setting => (
          <Row key={setting.path} setting={setting} config={found.data} />
        ))}
      </Rows>
      {others.length > 0 && (
        <p className="line-clamp-any text-sm text-soft">
          {words.others}{' '}
          {others.map(({ path, line }, at) => (
            <span key={path}>
              {at > 0 && ', '}
              <code className="font-mono text-xs">{path}</code> ({words.at(line)})
            </span>
          ))}
        </p>
      )}
    </Panel>
  )
}

function Row({ setting, config }: { setting: Setting; config: Config }) {
  const words = useOwnWords(configWords)
  const all = useWords()
  const cutOff = useCutOff()
  const queries = useQueryClient()
  const { path, kind, value, line, min, max } = setting
  const name = words.names[path] ?? path
  const [text, setText] = useState(shownValue(value))
  const [busy, setBusy] = useState(false)
  /** What was wanted when the file turned out to be another one. */
  const [clash, setClash] = useState<{ wanted: Value }>()
  const last = useRef({ value, text })
  last.current.text = text
  // A field that was not typed into follows the file; beside one that was, both values are shown.
  useEffect(() => {
    const { value: before, text: typed } = last.current
    if (before === value) return
    last.current.value = value
    if (typed === shownValue(before) || typed === shownValue(value)) setText(shownValue(value))
    else setClash({ wanted: valueOf(kind, typed) })
  }, [value, kind])
  const wanted = valueOf(kind, text)
  const isTouched = text !== shownValue(value)
  const save = async (next: Value, base = config.hash) => {
    setBusy(true)
    try {
      const answer = await write('config.edit', { path, value: next, base_hash: base })
      queries.setQueryData(keys.config, answer.value)
      setClash(undefined)
      notify({ kind: 'done', text: words.saved(name) })
    } catch (error) {
      if (error instanceof Refused && error.code === 'CONFIG_CHANGED') {
        setClash({ wanted: next })
        await queries.invalidateQueries({ queryKey: keys.config })
      } else {
        const detail = error instanceof Refused ? error.message : all.error.unreached
        notify({ kind: 'failed', text: words.refused, detail })
      }
    }
    setBusy(false)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isTouched) void save(wanted)
  }
  const off = cutOff !== undefined || busy
  return (
    <li data-setting={path} className="flex flex-col gap-2 px-4 py-2">
      <form className="flex flex-wrap items-center gap-x-4 gap-y-1" onSubmit={submit}>
        <div className="min-w-48 flex-1">
          <span className="block">{name}</span>
          <span className="text-xs text-soft">
            {line === null ? words.byDefault(labelOf(value, words.choices)) : words.at(line)}
            {min !== null && max !== null && ` · ${words.range(min, max)}`}
          </span>
        </div>
        {kind === 'choice' ? (
          <Select
            label={name}
            value={text}
            disabled={off}
            title={cutOff}
            onChange={event => setText(event.target.value)}
          >
            {setting.choices.map(choice => (
              <option key={choice} value={choice}>
                {words.choices[choice] ?? choice}
              </option>
            ))}
          </Select>
        ) : (
          <TextField
            label={name}
            className={kind === 'text' ? '!w-56' : '!w-32 text-right'}
            inputMode={kind === 'text' ? 'text' : 'decimal'}
            value={text}
            disabled={off}
            title={cutOff}
            onChange={event => setText(event.target.value)}
            onKeyDown={event => event.key === 'Escape' && setText(shownValue(value))}
          />
        )}
        <div className="flex min-w-28 justify-end">
          {isTouched ? (
            <Button small look="main" type="submit" disabled={off}>
              {words.save}
            </Button>
          ) : (
            line !== null && (
              <Button small look="quiet" disabled={off} onClick={() => void save(null)}>
                {setting.default === null ? words.resetToNone : words.reset(labelOf(setting.default, words.choices))}
              </Button>
            )
          )}
        </div>
      </form>
      {clash && (
        <div
          role="alert"
          data-clash
          className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-lg border border-kohaku bg-kohaku-wash px-3 py-2 text-sm"
        >
          <span>{words.changed}</span>
          <span>
            {words.theirs}: <b>{labelOf(value, words.choices) || words.none}</b>
          </span>
          <span>
            {words.mine}: <b>{labelOf(clash.wanted, words.choices) || words.none}</b>
          </span>
          <span className="ml-auto flex gap-2">
            <Button
              small
              onClick={() => {
                setClash(undefined)
                setText(shownValue(value))
              }}
            >
              {words.keep}
            </Button>
            <Button small look="main" disabled={off} onClick={() => void save(clash.wanted)}>
              {words.overwrite}
            </Button>
          </span>
        </div>
      )}
    </li>
  )
}

function valueOf(kind: Setting['kind'], text: string): Value {
  if (text.trim() === '') return null
  return kind === 'integer' || kind === 'number' ? Number(text) : text
}

const shownValue = (value: Value): string => (value === null ? '' : String(value))
const labelOf = (value: Value, choices: Record<string, string>): string =>
  typeof value === 'string' ? (choices[value] ?? value) : shownValue(value)
