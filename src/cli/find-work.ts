// What runs, by the words people use for it: an id or the end of it, a task's handle, an agent's name, a tab's branch.
import type { WorkView } from '#contract/work.ts'
import type { Client } from '#client/api.ts'
import { shortId } from './short-id.ts'
import { CliError } from './errors.ts'
import { texts } from './texts.ts'
import { about } from './up/work-text.ts'

const ID = /^(?:exec|run|evd|tab)_/
const LOOKED_AT = 200
const SHORTEST_PART = 4
/** What tables show of an id; a whole one is longer. Ids that people have chosen may be as short, and are compared as they are. */
const SHORT_ID = 11

/** Its id. A word that nothing here is called is left to the hub, which says what it does not find. */
export async function findWork(hub: Client, word: string): Promise<string> {
  if (ID.test(word) && word.length > SHORT_ID) return word
  const { work } = await hub.call('work.list', { ended: LOOKED_AT, last_actions: false })
  const called = work.filter(one => isCalled(one, word))
  const open = called.filter(({ ended_at }) => ended_at === null)
  if (open.length > 1)
    throw CliError.USAGE({
      text: texts.several(word, open.map(one => `${one.work_id} (${one.name} ${about(one)})`.trim()).join(', ')),
    })
  // Of those that are over, the last.
  return (open[0] ?? called[0])?.work_id ?? word
}

function isCalled({ work_id, handle, task_id, name }: WorkView, word: string): boolean {
  if ([work_id, handle, task_id, name, shortId(work_id)].includes(word)) return true
  return word.length >= SHORTEST_PART && work_id.endsWith(word)
}
