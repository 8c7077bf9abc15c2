// What can be done with a folder of this machine, wherever it is shown.
import { useQuery } from '@tanstack/react-query'
import { Copy, SquareArrowOutUpRight } from 'lucide-react'
import { call } from '../hub/call.ts'
import { Button } from './button.tsx'
import { editorAddress } from './editor-address.ts'
import { notify } from './notices.tsx'
import { useOwnWords } from './use-words.ts'

const own = {
  en: {
    copy: 'Copy path',
    copied: 'Path copied',
    notCopied: 'The browser did not allow to copy it',
    open: 'Open in editor',
    openIn: (editor: string) => `Open in ${editor}`,
  },
  ja: {
    copy: 'パスをコピー',
    copied: 'パスをコピーしました',
    notCopied: 'ブラウザーがコピーを許可しませんでした',
    open: 'エディターで開く',
    openIn: (editor: string) => `${editor} で開く`,
  },
}

type Props = {
  path: string
  /** Where room is scarce: signs with names for those who hover or listen, and the list below their right end. */
  compact?: boolean
}

/** The list is the hub's configuration; an editor is opened by the browser, which asks first. */
export function PlaceActs({ path, compact = false }: Props) {
  const words = useOwnWords(own)
  const editors = useQuery({
    queryKey: ['editors'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => (await call('editor.list', {}, { signal })).value.editors,
  }).data
  const copy = () =>
    void Promise.resolve()
      .then(() => navigator.clipboard.writeText(path))
      .then(
        () => notify({ kind: 'done', text: words.copied }),
        // Without https or a focus it may refuse.
        () => notify({ kind: 'failed', text: words.notCopied, detail: path }),
      )
  return (
    <div data-place={path} className={`flex items-center ${compact ? '' : 'flex-wrap gap-1'}`}>
      <Button
        small
        look="quiet"
        onClick={copy}
        {...(compact && { className: '!px-1.5', 'aria-label': words.copy, title: words.copy })}
      >
        <Copy size={14} aria-hidden="true" /> {!compact && words.copy}
      </Button>
      {editors && editors.length > 0 && (
        <details className="group/editors relative">
          <summary
            {...(compact && { 'aria-label': words.open, title: words.open })}
            className={`inline-flex h-7 cursor-pointer list-none items-center gap-1.5 rounded-md text-sm text-soft hover:bg-ai-wash hover:text-ink max-md:h-9 ${compact ? 'px-1.5' : 'px-2'}`}
          >
            <SquareArrowOutUpRight size={14} aria-hidden="true" /> {!compact && words.open}
          </summary>
          <ul
            className={`absolute z-20 ${compact ? 'right-0' : 'left-0'} mt-1 min-w-40 rounded-lg border border-line bg-sheet p-1 shadow-lg`}
          >
            {editors.map(({ name, url }) => (
              <li key={name}>
                <a
                  href={editorAddress(url, path)}
                  className="flex min-h-8 items-center rounded-md px-2 text-sm hover:bg-ai-wash max-md:min-h-11"
                  onClick={event => event.currentTarget.closest('details')?.removeAttribute('open')}
                >
                  {words.openIn(name)}
                </a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
