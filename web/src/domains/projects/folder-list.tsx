import { ArrowUp, Folder } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { ApiOutput } from '#contract/api.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { sentence } from '../../parts/sentence.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { useFolder } from './setup-queries.ts'
import { setupWords } from './setup-words.ts'

export type Listed = ApiOutput<'directory.list'>

type Props = {
  /**
   * The folder that a person opened, or nothing while one is being opened. The first list, of the home folder, is where to begin and
   * no choice. Must be stable.
   */
  chosen: (folder: Listed | undefined) => void
}

/** A folder of the hub's machine, by its names or by its path: a browser cannot give one of its own. */
export function FolderList({ chosen }: Props) {
  const { project: words } = useOwnWords(setupWords)
  const [path, setPath] = useState<string>()
  const [hidden, setHidden] = useState(false)
  const [typed, setTyped] = useState('')
  const isTyped = useRef(false)
  const answer = useFolder(path, hidden)
  const folder = answer.data
  useEffect(() => {
    const open = answer.isPlaceholderData ? undefined : folder
    // What a person typed while a folder was being opened stays.
    if (open && !isTyped.current) setTyped(open.path)
    chosen(path === undefined ? undefined : open)
  }, [folder, answer.isPlaceholderData, chosen, path])
  const go = (to: string | undefined) => {
    isTyped.current = false
    setPath(to)
  }
  const open = () => go(typed.trim() === '' ? undefined : typed.trim())
  const into = (name: string) => folder && go(folder.path.endsWith('/') ? folder.path + name : `${folder.path}/${name}`)
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    open()
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex gap-2">
        <TextField
          label={words.path}
          value={typed}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          onKeyDown={onKey}
          // What is to be added is what stands here, also when it was typed without Enter.
          onBlur={() => isTyped.current && open()}
          onChange={event => {
            isTyped.current = true
            setTyped(event.target.value)
          }}
        />
        <Button onClick={open}>{words.open}</Button>
        <Button
          aria-label={words.up}
          title={words.up}
          disabled={!folder || folder.parent === null}
          onClick={() => go(folder?.parent ?? undefined)}
        >
          <ArrowUp size={16} aria-hidden="true" />
        </Button>
      </div>
      {answer.isError && (
        <p role="alert" className="line-clamp-any text-sm text-shu">
          {sentence(answer.error)}
        </p>
      )}
      <ul
        aria-label={words.list}
        tabIndex={0}
        className="h-44 overflow-y-auto rounded-md border border-line bg-sunk p-1"
        data-folders={folder?.path}
      >
        {folder?.folders.map(name => (
          <li key={name}>
            <button
              type="button"
              data-folder={name}
              className="flex min-h-8 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-ai-wash max-md:min-h-11"
              onClick={() => into(name)}
            >
              <Folder size={14} aria-hidden="true" className="shrink-0 text-soft" />
              <span className="min-w-0 truncate">
                <SafeText text={name} />
              </span>
            </button>
          </li>
        ))}
        {folder?.folders.length === 0 && <li className="px-2 py-1.5 text-soft">{words.none}</li>}
        {folder?.is_cut === true && <li className="px-2 py-1.5 text-sm text-soft">{words.cut}</li>}
      </ul>
      <label className="flex items-center gap-2 self-start text-sm text-soft max-md:min-h-11">
        <input type="checkbox" checked={hidden} onChange={event => setHidden(event.target.checked)} />
        {words.hidden}
      </label>
    </div>
  )
}
