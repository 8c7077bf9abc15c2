// Two toolsets may each have a tool of the same name. Where a client has both, one tool takes the place of the two: which,
// stands here, and a collision that does not stand here fails at start.
import { z } from 'zod'
import { CrewRunSummary } from '#contract/crews.ts'
import { AgentView } from '#contract/views.ts'
import registered from '#domains/identity/tools/list-agents.ts'
import running, { crewFilterInput } from '#domains/runs/tools/list-agents.ts'
import { pageInput, pageOutput, readCursor, writeCursor } from '#kernel/page.ts'
import type { Merge } from '#kernel/registry.ts'
import { type Tool, tool } from '#kernel/tool.ts'
import type { Services } from './services.ts'

type Page = { agents: Record<string, unknown>[]; total: number; next_cursor?: string; truncated?: boolean }
type Kind = 'registered' | 'running'

const Cursor = z.object({ kind: z.enum(['registered', 'running']), cursor: z.string().optional() })

const listAgents = tool({
  name: 'list_agents',
  // Its errors have the shape that the older of the two has.
  toolset: 'projects',
  title: 'List agents',
  description: 'List registered agents and agents started in groups. groupId or status mean those in groups alone.',
  effect: 'read',
  callers: ['operator', 'agent', 'run', 'tab'],
  input: z.object({
    ...crewFilterInput,
    kind: z.enum(['registered', 'running']).optional().describe('Only registered identities, or only those in groups'),
    ...pageInput,
  }),
  output: z.object({
    success: z.literal(true),
    agents: z.array(
      z.union([
        AgentView.extend({ kind: z.literal('registered') }),
        CrewRunSummary.extend({ kind: z.literal('running') }),
      ]),
    ),
    total: z.int(),
    ...pageOutput,
  }),
  async run(services: Services, input, call) {
    const { groupId, status } = input
    const only = groupId !== undefined || status !== undefined ? 'running' : input.kind
    const at = readCursor(input.cursor, Cursor) ?? { kind: only ?? 'registered' }
    const page = async (kind: Kind, cursor: string | undefined, limit = input.limit): Promise<Page> => {
      const source = (kind === 'registered' ? registered : running) as unknown as Tool<Services>
      const found = (await source.run(services, { groupId, status, limit, cursor }, call)) as Page
      const next =
        found.next_cursor === undefined ? {} : { next_cursor: writeCursor({ kind, cursor: found.next_cursor }) }
      return { ...found, ...next, agents: found.agents.map(agent => ({ ...agent, kind })) }
    }
    const first = await page(at.kind, at.cursor)
    if (only !== undefined) return { success: true, ...first } as never
    const other = await page(at.kind === 'registered' ? 'running' : 'registered', undefined, 1)
    const total = first.total + other.total
    const isLast = at.kind === 'running' || first.next_cursor !== undefined
    if (isLast || other.agents.length === 0) return { success: true, ...first, total } as never
    // The first kind is told to its end; the second follows on the next page, or on this one where there is room.
    const room = (input.limit ?? USUAL_PAGE) - first.agents.length
    if (room <= 0 || first.truncated) {
      return { success: true, ...first, total, next_cursor: writeCursor({ kind: 'running' }) } as never
    }
    const rest = await page('running', undefined, room)
    return { success: true, ...rest, agents: [...first.agents, ...rest.agents], total } as never
  },
})

const USUAL_PAGE = 50

export const merges: Merge<Services>[] = [{ toolsets: ['projects', 'crews'], tool: listAgents }]
