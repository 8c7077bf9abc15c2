import { useState } from 'react'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Failure } from '../../parts/failure.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Select } from '../../parts/select.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { diffOf } from './model.ts'
import { PromptEditor } from './prompt-editor.tsx'
import { type Language, usePrompt, useVersions } from './queries.ts'
import { words as own } from './words.ts'

type Props = { project: string; phase: string; isEditing: boolean; setEditing: (on: boolean) => void }

/** The prompt of a phase with its versions: to read, to compare, to edit. */
export function PromptPanel({ project, phase, isEditing, setEditing }: Props) {
  const words = useOwnWords(own)
  const { code } = useWords()
  const cutOff = useCutOff()
  const [language, setLanguage] = useState<Language>(code)
  const [version, setVersion] = useState<number>()
  const [other, setOther] = useState<number>()
  const prompt = usePrompt(project, phase, language, version)
  const versions = useVersions(project, phase, language).data ?? []
  if (prompt.isError && !prompt.data) return <Failure error={prompt.error} again={() => void prompt.refetch()} />
  const shown = prompt.data
  return (
    <section aria-label={words.prompt} className="flex min-w-0 flex-col gap-3" data-prompt={phase}>
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto text-lg font-semibold">{words.prompt}</h2>
        {!isEditing && (
          <>
            <Select
              label={words.language}
              value={language}
              onChange={event => {
                setLanguage(event.target.value === 'ja' ? 'ja' : 'en')
                setVersion(undefined)
                setOther(undefined)
              }}
            >
              <option value="en">English</option>
              <option value="ja">日本語</option>
            </Select>
            <Select
              label={words.versions}
              value={String(version ?? '')}
              className="max-w-64"
              onChange={event => setVersion(event.target.value === '' ? undefined : Number(event.target.value))}
            >
              {versions.length === 0 && shown && <option value="">{words.version(shown.version)}</option>}
              {versions.map((one, at) => (
                <option key={one.sha256 + one.version} value={at === 0 ? '' : String(one.version)}>
                  {`${words.version(one.version)} · ${one.author}`}
                </option>
              ))}
            </Select>
            {versions.length > 1 && (
              <Select
                label={words.compare}
                value={String(other ?? '')}
                onChange={event => setOther(event.target.value === '' ? undefined : Number(event.target.value))}
              >
                <option value="">{words.compareNone}</option>
                {versions
                  .filter(one => one.version !== shown?.version)
                  .map(one => (
                    <option key={one.sha256 + one.version} value={String(one.version)}>
                      {words.version(one.version)}
                    </option>
                  ))}
              </Select>
            )}
            <Button disabled={cutOff !== undefined || !shown} title={cutOff} onClick={() => setEditing(true)}>
              {words.edit} <KeyHint keys="e" />
            </Button>
          </>
        )}
      </div>
      {!shown && <Bars count={6} height={20} />}
      {shown && isEditing && (
        <PromptEditor
          key={`${phase} ${language}`}
          project={project}
          phase={phase}
          language={language}
          content={shown.content}
          base={shown.base_version}
          close={() => {
            setEditing(false)
            setVersion(undefined)
          }}
        />
      )}
      {shown && !isEditing && (
        <>
          <p className="text-sm text-soft">{shown.project_id === null ? words.ofHub : words.ofProject}</p>
          {other === undefined ? (
            <PromptText text={shown.content} label={words.version(shown.version)} />
          ) : (
            <Compared {...{ project, phase, language, version: other }} after={shown.content} />
          )}
        </>
      )}
    </section>
  )
}

const LOOK =
  'max-h-[60vh] overflow-auto rounded-lg border border-line bg-sheet px-4 py-3 font-mono text-xs leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]'

function PromptText({ text, label }: { text: string; label: string }) {
  return (
    <pre tabIndex={0} aria-label={label} className={LOOK}>
      <SafeText text={text} />
    </pre>
  )
}

type ComparedProps = { project: string; phase: string; language: Language; version: number; after: string }

function Compared({ project, phase, language, version, after }: ComparedProps) {
  const words = useOwnWords(own)
  const before = usePrompt(project, phase, language, version).data
  if (!before) return <Bars count={6} height={20} />
  return (
    <pre tabIndex={0} aria-label={words.compare} className={LOOK} data-diff>
      {diffOf(before.content, after).map(({ kind, text }, at) => (
        <span
          key={at}
          className={`block ${kind === 'added' ? 'bg-matsu-wash text-matsu' : kind === 'removed' ? 'bg-shu-wash text-shu' : 'text-soft'}`}
        >
          {{ same: '  ', added: '+ ', removed: '- ' }[kind]}
          <SafeText text={text} />
        </span>
      ))}
    </pre>
  )
}
