import { Maximize2 } from 'lucide-react'
import { Link, useLocation, useSearch } from 'wouter'
import { Bars } from '../../parts/bars.tsx'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'
import { Failure } from '../../parts/failure.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { Select } from '../../parts/select.tsx'
import { useQueryValue } from '../../parts/diff/preferences.ts'
import { clockTime } from '../../parts/live-time.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { diffOf } from './model.ts'
import { PromptEditor } from './prompt-editor.tsx'
import { PROMPT_LOOK, PromptNotes, PromptText } from './prompt-text.tsx'
import { type Language, usePrompt, useVersions } from './queries.ts'
import { words as own } from './words.ts'

type Props = {
  project: string
  phase: string
  isEditing: boolean
  setEditing: (on: boolean) => void
  /** On a page of its own, with the history as a list. */
  isPage?: boolean
}

/** The prompt of a phase with its versions: to read, to compare, to edit. */
export function PromptPanel({ project, phase, isEditing, setEditing, isPage = false }: Props) {
  const words = useOwnWords(own)
  const { code } = useWords()
  const cutOff = useCutOff()
  const { language, version, other, set } = useChosen(code)
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
                set({ lang: event.target.value, version: '', with: '' })
              }}
            >
              <option value="en">English</option>
              <option value="ja">日本語</option>
            </Select>
            <Select
              label={words.versions}
              value={String(version ?? '')}
              className="max-w-64"
              onChange={event => set({ version: event.target.value })}
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
                onChange={event => set({ with: event.target.value })}
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
            set({ version: '' })
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
          <PromptNotes text={shown.content} />
          {isPage ? <History {...{ versions, phase }} shown={shown.version} /> : <OwnPage phase={phase} />}
        </>
      )}
    </section>
  )
}

/** In the address, so that a version, or what changed between two, can be passed on. */
function useChosen(code: Language) {
  const [version] = useQueryValue('version')
  const [other] = useQueryValue('with')
  const [lang] = useQueryValue('lang')
  const [path, navigate] = useLocation()
  const number = (text: string | undefined) =>
    text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
  const set = (change: { version?: string; with?: string; lang?: string }) => {
    const query = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(change)) {
      if (value === '') query.delete(name)
      else query.set(name, value)
    }
    navigate(`${path}?${query.toString()}`)
  }
  const language: Language = lang === 'ja' || lang === 'en' ? lang : code
  return { language, version: number(version), other: number(other), set }
}

const hrefOf = (phase: string, search: string, change: Record<string, number | undefined> = {}) => {
  const query = new URLSearchParams(search)
  query.delete('phase')
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) query.delete(name)
    else query.set(name, String(value))
  }
  return `/phases/prompts/${encodeURIComponent(phase)}?${query.toString()}`
}

function OwnPage({ phase }: { phase: string }) {
  const words = useOwnWords(own)
  const search = useSearch()
  return (
    <Link
      href={hrefOf(phase, search)}
      className="inline-flex items-center gap-1.5 self-start text-sm text-ai hover:underline max-md:min-h-11"
    >
      <Maximize2 size={14} aria-hidden="true" /> {words.ownPage}
    </Link>
  )
}

type Versions = NonNullable<ReturnType<typeof useVersions>['data']>

/** Newest first; each can be opened, and compared with the one that is shown. */
function History({ versions, phase, shown }: { versions: Versions; phase: string; shown: number }) {
  const words = useOwnWords(own)
  const { code } = useWords()
  const search = useSearch()
  if (versions.length === 0) return null
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold text-soft">{words.history}</h3>
      <ol className="flex flex-col divide-y divide-line rounded-lg border border-line bg-sheet" data-history>
        {versions.map(one => (
          <li
            key={one.sha256 + one.version}
            className="flex min-h-11 flex-wrap items-center gap-x-3 px-4 py-1.5 text-sm"
            data-version={one.version}
          >
            <Link
              href={hrefOf(phase, search, { version: one.version, with: undefined })}
              aria-current={one.version === shown ? 'true' : undefined}
              className={`hover:underline ${one.version === shown ? 'font-semibold' : 'text-ai'}`}
            >
              {words.version(one.version)}
            </Link>
            <span className="line-clamp-any min-w-0 flex-1">
              <SafeText text={one.title} />
            </span>
            <span className="text-soft">
              <SafeText text={one.author} />
              {one.created_at !== null && ` · ${clockTime(one.created_at, code)}`}
            </span>
            {one.version !== shown && (
              <Link
                href={hrefOf(phase, search, { version: shown, with: one.version })}
                className="text-ai hover:underline"
              >
                {words.compareWith(one.version)}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

type ComparedProps = { project: string; phase: string; language: Language; version: number; after: string }

function Compared({ project, phase, language, version, after }: ComparedProps) {
  const words = useOwnWords(own)
  const before = usePrompt(project, phase, language, version).data
  if (!before) return <Bars count={6} height={20} />
  return (
    <pre tabIndex={0} aria-label={words.compare} className={PROMPT_LOOK} data-diff>
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
