import type { ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { useCutOff } from '../../parts/can-write.ts'

type Props = {
  words: { title: string; hint: string; cancel: string; submit: string }
  isReady: boolean
  error: string | undefined
  submit: () => Promise<void>
  close: () => void
  children: ReactNode
}

/** What the dialogs for a project and for an agent have in common. */
export function SetupForm({ words, isReady, error, submit, close, children }: Props) {
  const cutOff = useCutOff()
  return (
    <form
      className="flex flex-col gap-3 p-5"
      onSubmit={event => {
        event.preventDefault()
        void submit()
      }}
    >
      <header className="pr-8">
        <h2 className="text-lg font-semibold">{words.title}</h2>
        <p className="text-soft">{words.hint}</p>
      </header>
      {children}
      {error !== undefined && (
        <p role="alert" className="line-clamp-any text-shu">
          {error}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2 pt-1">
        <Button look="quiet" onClick={close}>
          {words.cancel}
        </Button>
        <Button look="main" type="submit" disabled={!isReady || cutOff !== undefined} title={cutOff}>
          {words.submit}
        </Button>
      </div>
    </form>
  )
}
