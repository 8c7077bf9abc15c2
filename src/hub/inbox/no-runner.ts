import type { InboxItem } from '#contract/inbox.ts'
import { waitingStarts } from '../waiting-starts.ts'
import { type Facts, item } from './item.ts'

/** Work that is due where every Runner has gone, as after a restart of the machine: nothing starts until a person starts one. */
export async function noRunner({ services, lang, projectId }: Facts): Promise<InboxItem[]> {
  const since = await services.runners.allAwaySince()
  if (since === undefined) return []
  const all = await waitingStarts(services)
  const due = all.filter(start => projectId === undefined || start.projectId === projectId)
  if (due.length === 0) return []
  return [
    item({
      ...{ kind: 'no_runner', about: 'hub', title: TITLE[lang], at: since, detail: DETAIL[lang] },
      ...{ held_up: due.length, command: 'toryo up' },
    }),
  ]
}

const TITLE = { en: 'No Runner is running', ja: '稼働中の Runner がありません' }
const DETAIL = {
  en: 'No agent is started until one runs: with `toryo up` here, or `toryo runner` on another machine.',
  ja: 'Runner が動くまでエージェントは起動しません。ここで `toryo up` を実行するか、別のマシンで `toryo runner` を実行してください。',
}
