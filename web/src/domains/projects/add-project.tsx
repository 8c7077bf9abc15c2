import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, FolderGit2, ShieldAlert } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import { Refused, write } from '../../hub/call.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { Labelled } from '../../parts/labelled.tsx'
import { notify } from '../../parts/notices.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { sentence } from '../../parts/sentence.ts'
import { useOwnWords } from '../../parts/use-words.ts'
import { type Checks, ChecksChoice } from './checks-choice.tsx'
import { FolderList, type Listed } from './folder-list.tsx'
import { nameOfFolder } from './model.ts'
import { keys } from './queries.ts'
import { SetupForm } from './setup-form.tsx'
import { addingAgent, addingProject } from './setup-store.ts'
import { useGuess, useTrustLook } from './setup-queries.ts'
import { setupWords } from './setup-words.ts'

/** `added`: the page goes to the project. The agent that works on it is asked for next. */
export function AddProject({ added }: { added: (projectId: string) => void }) {
  const { project: words } = useOwnWords(setupWords)
  const close = () => addingProject.set(false)
  return (
    <Dialog label={words.title} closeLabel={words.cancel} close={close}>
      <Form added={added} close={close} />
    </Dialog>
  )
}

function Form({ added, close }: { added: (projectId: string) => void; close: () => void }) {
  const { project: words } = useOwnWords(setupWords)
  const queries = useQueryClient()
  const [folder, setFolder] = useState<Listed>()
  const [isOpening, setOpening] = useState(false)
  const [name, setName] = useState('')
  const [isOwnName, setOwnName] = useState(false)
  const [trusted, setTrusted] = useState<string>()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const directory = folder && !folder.project && !folder.is_wide ? folder.path : undefined
  // Checks judge the work of a worktree: without a repository there is none.
  const guess = useGuess(folder?.is_repository === true ? directory : undefined)
  const [left, setLeft] = useState<readonly string[]>([])
  const checks: Checks = guess.data?.checks.filter(({ usual }) => usual) ?? []
  const look = useTrustLook(directory)
  // What is shown stays until the next folder is open, but only an open folder can be added.
  const chosen = useCallback((next: Listed | undefined) => {
    setOpening(next === undefined)
    if (next) setFolder(next)
  }, [])
  const shownName = isOwnName ? name : nameOfFolder(folder?.path ?? '')
  const files = look.data?.unknown ?? []
  const isTrusted = look.data !== undefined && (files.length === 0 || trusted === look.data.hash)
  const isKnown = look.data !== undefined && !guess.isLoading
  const isReady = directory !== undefined && !isOpening && isKnown && shownName.trim() !== ''
  const submit = async () => {
    if (!isReady || busy || !look.data) return
    setBusy(true)
    setError(undefined)
    try {
      // What is trusted is what was shown here, not what the folder has by the time it is added.
      const { value } = await write('project.add', { name: shownName.trim(), directory, trust: false })
      const problem = isTrusted ? await trust(value.project_id, look.data.hash) : undefined
      const failed = await addChecks(
        value.project_id,
        checks.filter(check => !left.includes(check.name)),
      )
      await queries.invalidateQueries({ queryKey: keys.projects })
      if (failed !== undefined) notify({ kind: 'failed', text: words.checksAgain, detail: failed })
      if (problem === undefined) notify({ kind: 'done', text: words.added(value.name) })
      else notify({ kind: 'failed', text: words.trustAgain, detail: problem })
      close()
      added(value.project_id)
      addingAgent.set({ project: value.project_id })
    } catch (failure) {
      setError(sentence(failure))
      setBusy(false)
    }
  }
  return (
    <SetupForm
      words={words}
      isReady={isReady && !busy}
      error={error ?? (look.isError ? sentence(look.error) : undefined)}
      submit={submit}
      close={close}
    >
      <FolderList chosen={chosen} />
      {folder?.project && <p className="text-kohaku">{words.taken(folder.project.name)}</p>}
      {folder?.is_wide && !folder.project && <p className="text-kohaku">{words.tooWide}</p>}
      {folder && directory !== undefined && (
        <Said icon={<FolderGit2 size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-soft" />}>
          <p data-repository={folder.is_repository}>{folder.is_repository ? words.isRepository : words.noRepository}</p>
        </Said>
      )}
      {look.data && files.length === 0 && (
        <Said icon={<CircleCheck size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-matsu" />}>
          <p>{words.trustNone}</p>
        </Said>
      )}
      {look.data && files.length > 0 && (
        <Said icon={<ShieldAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-kohaku" />}>
          <p>{words.trustSome}</p>
          <ul
            tabIndex={0}
            aria-label={words.trustSome}
            className="my-1 max-h-24 overflow-y-auto font-mono text-xs"
            data-untrusted
          >
            {files.map(file => (
              <li key={file} className="line-clamp-any">
                <SafeText text={file} />
              </li>
            ))}
          </ul>
          <label className="flex items-center gap-2 max-md:min-h-11">
            <input
              type="checkbox"
              checked={isTrusted}
              onChange={event => setTrusted(event.target.checked ? look.data.hash : undefined)}
            />
            {words.trustBox}
          </label>
          <p className="text-soft">{words.trustLater}</p>
        </Said>
      )}
      {guess.data && (
        <ChecksChoice
          checks={checks}
          left={left}
          needsSetup={guess.data.setup !== null}
          choose={(name, isWanted) =>
            setLeft(before => (isWanted ? before.filter(one => one !== name) : [...before, name]))
          }
        />
      )}
      <Labelled text={words.name}>
        <TextField
          label={words.name}
          value={shownName}
          maxLength={200}
          onChange={event => {
            setOwnName(true)
            setName(event.target.value)
          }}
        />
      </Labelled>
    </SetupForm>
  )
}

/** What the hub says when the files are not those that were shown. */
async function trust(project_id: string, seen: string): Promise<string | undefined> {
  try {
    await write('project.trust', { project_id, seen })
    return undefined
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
}

/** As they were shown: a command that the folder does not name any more is refused. */
async function addChecks(project_id: string, checks: Checks): Promise<string | undefined> {
  try {
    for (const { name, command } of checks) await write('project.check.add', { project_id, name, command })
    return undefined
  } catch (error) {
    if (error instanceof Refused) return error.message
    throw error
  }
}

function Said({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex items-start gap-2 text-sm">
      {icon}
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}
