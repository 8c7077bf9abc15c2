// Takes out of older records what was given as an id and may be a credential: a caller mistook one for the other.
import type { Kysely } from 'kysely'
import { CallRefused } from '#contract/events.ts'
import type { AgentId } from '#contract/id-types.ts'
import { SignInFailed } from '#contract/identity.ts'
import { withoutSecrets } from '#contract/secrets.ts'

type Scrubbed = { events: { seq: number; type: string; payload: string }; agents: { id: string } }

const PAGE = 500

/** Events keep the ids of agents that exist, and claims that do not look like a credential. */
export async function scrubEvents(q: Kysely<Scrubbed>): Promise<void> {
  const agents = new Set((await q.selectFrom('agents').select('id').execute()).map(({ id }) => id))
  for (let last = -1; ; ) {
    const page = await q
      .selectFrom('events')
      .select(['seq', 'type', 'payload'])
      .where('type', 'in', [SignInFailed.type, CallRefused.type])
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(PAGE)
      .execute()
    for (const { seq, type, payload } of page) {
      last = seq
      const clean = type === SignInFailed.type ? knownAgent(payload, agents) : withoutSecrets(payload)
      if (clean !== payload) await q.updateTable('events').set({ payload: clean }).where('seq', '=', seq).execute()
    }
    if (page.length < PAGE) return
  }
}

function knownAgent(payload: string, agents: ReadonlySet<string>): string {
  const { agentId } = JSON.parse(payload) as { agentId: AgentId | null }
  return agentId !== null && !agents.has(agentId) ? JSON.stringify({ agentId: null }) : payload
}
