import { type SubmitEvent, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { signIn, signInProblem, tokenIn } from '../hub/sign-in.ts'
import { Button } from '../parts/button.tsx'
import { CommandLine } from '../parts/command-line.tsx'
import { Mark } from '../parts/empty.tsx'
import { TextField } from '../parts/field.tsx'
import { useStore } from '../parts/use-store.ts'
import { useOwnWords, useWords } from '../parts/use-words.ts'

const en = {
  title: 'Sign in to Toryo',
  run: 'Run this where the hub runs. It opens a signed-in page:',
  paste: 'Or paste the link that it printed',
  submit: 'Sign in',
  bad: 'This is not a login link. It ends with #login=…',
  busy: 'Signing in…',
}
const ja: typeof en = {
  title: 'Toryo にサインイン',
  run: 'ハブが動いているマシンで次を実行すると、サインイン済みのページが開きます。',
  paste: 'または、表示されたリンクを貼り付けてください',
  submit: 'サインイン',
  bad: 'ログインリンクではありません。末尾は #login=… です。',
  busy: 'サインインしています…',
}

/** Over whatever was shown, dialogs too: drafts below it stay. */
export function LoginCard({ isOver }: { isOver: boolean }) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  if (!isOver) return <Card />
  return (
    <dialog
      ref={ref}
      className="fixed inset-0 m-0 h-dvh max-h-none w-screen max-w-none bg-ground p-0"
      onCancel={keepOpen}
    >
      <Card />
    </dialog>
  )
}

/** There is nothing to go back to. */
const keepOpen = (event: SyntheticEvent) => event.preventDefault()

function Card() {
  const { code } = useWords()
  const said = useOwnWords({ en, ja })
  const [text, setText] = useState('')
  const problem = useStore(signInProblem)
  const [own, setError] = useState<string>()
  const error = own ?? problem
  const [busy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const token = tokenIn(text)
    if (token === undefined) return setError(said.bad)
    setBusy(true)
    await signIn(token, code).catch((failure: Error) => setError(failure.message))
    setBusy(false)
  }
  return (
    <main className="fixed inset-0 z-40 flex items-center justify-center overflow-auto bg-ground p-4">
      <div className="flex w-full max-w-md flex-col gap-4 rounded-xl border border-line bg-sheet p-8 max-md:p-5">
        <Mark />
        <h1 className="text-xl font-semibold">{said.title}</h1>
        <p>{said.run}</p>
        <CommandLine text="toryo open" />
        <form className="flex flex-col gap-2 border-t border-line pt-4" onSubmit={event => void submit(event)}>
          <label htmlFor="login-link" className="text-sm text-soft">
            {said.paste}
          </label>
          <div className="flex gap-2">
            <TextField
              id="login-link"
              label={said.paste}
              type="text"
              autoComplete="off"
              spellCheck={false}
              placeholder="http://127.0.0.1:4747/#login=…"
              value={text}
              onChange={event => setText(event.target.value)}
            />
            <Button look="main" type="submit" disabled={busy || text.trim() === ''}>
              {busy ? said.busy : said.submit}
            </Button>
          </div>
          {error !== undefined && (
            <p role="alert" className="text-sm text-shu">
              {error}
            </p>
          )}
        </form>
      </div>
    </main>
  )
}
