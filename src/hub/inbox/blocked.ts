import type { InboxItem } from '#contract/inbox.ts'
import type { Lang } from '#contract/errors.ts'
import type { EvidenceId, MergeId } from '#contract/id-types.ts'
import type { Blocked } from '#contract/why.ts'
import { blockedText } from '#contract/why-text.ts'
import type { Evidence } from '#domains/thread/model.ts'
import { tailIn } from '#domains/thread/views.ts'
import { HUB } from '../own-caller.ts'
import { aboutTask, type Facts, item, MOST } from './item.ts'

/** A task that its agent, or the hub, has given up on until a person says how to go on. */
export async function blockedTasks({ services, projectId, names, lang }: Facts): Promise<InboxItem[]> {
  const tasks = await services.tasks.list({ projectId, status: 'blocked' }, undefined, MOST, HUB)
  const heldUp = await services.tasks.heldUpBy(tasks.map(({ id }) => id))
  return Promise.all(
    tasks.map(async task => {
      const merge = await services.merges.newest(task.id, HUB, lang)
      const outcome = merge?.kind === 'merge' ? merge.outcome : null
      const check = task.blocked && (await failedCheck(services, task.blocked))
      return item({
        ...(await aboutTask(task, names)),
        kind: 'blocked',
        merge: outcome === 'conflict' || outcome === 'failed' ? outcome : null,
        detail: task.blocked && blockedText(task.blocked)[lang],
        check: check ? checkOf(check, lang) : null,
        held_up: heldUp.get(task.id) ?? 0,
        command: `toryo task answer ${task.handle}`,
      })
    }),
  )
}

/** The one whose failure was the last straw. */
async function failedCheck(
  { evidence }: Pick<Facts['services'], 'evidence'>,
  why: Blocked,
): Promise<Evidence | undefined> {
  if ('evidence' in why) return evidence.find(why.evidence as EvidenceId)
  if (!('merge' in why)) return undefined
  const ran = await evidence.ofMerge(why.merge as MergeId)
  return ran.findLast(({ required, outcome }) => required && outcome !== null && outcome !== 'passed')
}

const SHOWN_LINES = 15

/** The end of its output says most; the log has the rest. */
function checkOf(check: Evidence, lang: Lang): InboxItem['check'] {
  const lines = tailIn(lang, check).trimEnd().split('\n').slice(-SHOWN_LINES)
  return { evidence_id: check.id, name: check.name, tail: lines.join('\n') }
}
