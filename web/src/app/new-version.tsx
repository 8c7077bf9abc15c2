// The hub was updated under an open page. The page goes on; it is loaded again when its reader says so, or does not look.
import { useEffect } from 'react'
import { Button } from '../parts/button.tsx'
import { useOwnWords } from '../parts/use-words.ts'
import { useStore } from '../parts/use-store.ts'
import { offered } from './version-store.ts'
import { session } from '../hub/kept.ts'

const words = {
  en: {
    text: (version: string) => `Toryo was updated to ${version}.`,
    reload: 'Reload',
    later: 'Later',
  },
  ja: {
    text: (version: string) => `Toryo が ${version} に更新されました。`,
    reload: '再読み込み',
    later: '後で',
  },
}

export function NewVersion() {
  const own = useOwnWords(words)
  const version = useStore(offered)
  useEffect(() => {
    if (version === undefined) return undefined
    const look = () => {
      if (document.visibilityState === 'hidden' && !hasDrafts()) location.reload()
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [version])
  if (version === undefined) return null
  return (
    <div
      role="status"
      data-new-version
      className="fixed inset-x-0 bottom-4 z-30 mx-auto flex w-fit max-w-[calc(100vw-24px)] flex-wrap items-center gap-3 rounded-lg border border-line bg-sheet px-4 py-2 shadow-xl max-md:bottom-20"
    >
      <span>{own.text(version)}</span>
      <Button small look="main" onClick={() => location.reload()}>
        {own.reload}
      </Button>
      <Button small look="quiet" onClick={() => offered.set(undefined)}>
        {own.later}
      </Button>
    </div>
  )
}

/** What a person is writing: in a field now, or kept of one. A dialog may hold choices that are kept nowhere. */
function hasDrafts(): boolean {
  const kept = session.keys().some(key => /^toryo\.(?!seen)/.test(key) && session.getItem(key) !== '')
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'textarea:not(.xterm-helper-textarea), input[type=text]',
  )
  return kept || document.querySelector('dialog[open]') !== null || [...fields].some(({ value }) => value !== '')
}
