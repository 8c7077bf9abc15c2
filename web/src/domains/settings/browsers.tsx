import { useQueryClient } from '@tanstack/react-query'
import { write } from '../../hub/call.ts'
import { Bars } from '../../parts/bars.tsx'
import { Failure } from '../../parts/failure.tsx'
import { clockTime } from '../../parts/live-time.tsx'
import { SafeText } from '../../parts/safe-text.tsx'
import { useOwnWords, useWords } from '../../parts/use-words.ts'
import { keys } from './live.ts'
import { browserName } from './model.ts'
import { Sure } from '../../parts/sure.tsx'
import { Panel, Rows } from './parts.tsx'
import { useBrowsers } from './queries.ts'
import { words as own } from './words.ts'

export function Browsers() {
  const words = useOwnWords(own)
  const { code } = useWords()
  const queries = useQueryClient()
  const found = useBrowsers()
  if (found.isError && !found.data) return <Failure error={found.error} again={() => void found.refetch()} />
  if (!found.data) return <Bars count={3} height={48} />
  const open = found.data.filter(page => page.revoked_at === null)
  const signOut = async (id: string) => {
    await write('page.revoke', { page_id: id })
    await queries.invalidateQueries({ queryKey: keys.browsers })
  }
  return (
    <Panel title={words.tabs.browsers} hint={words.browsersHint}>
      <Rows>
        {open.map(page => (
          <li
            key={page.page_id}
            data-browser={page.is_this ? 'this' : 'other'}
            className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2"
          >
            <span className="font-medium" title={page.browser}>
              <SafeText text={browserName(page.browser)} />
            </span>
            {page.is_this && (
              <span className="rounded-md bg-matsu-wash px-1.5 text-sm text-matsu">{words.thisOne}</span>
            )}
            <span className="ml-auto text-sm text-soft">
              {words.seen} {clockTime(page.last_seen_at, code)}
            </span>
            {!page.is_this && (
              <Sure
                label={words.signOut}
                question={words.revokeSure}
                done={words.signedOut}
                act={() => signOut(page.page_id)}
              />
            )}
          </li>
        ))}
      </Rows>
      <div>
        <Sure
          label={words.signOutAll}
          question={words.signOutAllSure}
          done={words.signedOut}
          act={() => write('page.revoke', {})}
        />
      </div>
    </Panel>
  )
}
