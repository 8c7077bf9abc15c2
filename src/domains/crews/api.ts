import { z } from 'zod'
import type { CrewRunState } from '#contract/crews.ts'
import { operation } from '#kernel/operation.ts'
import { limitOf, pageOf, readCursor } from '#kernel/page.ts'
import type { Running } from '#kernel/tool.ts'
import type { Runs } from './ports.ts'
import { roleView, type Roles } from './roles.ts'
import type { Crews } from './service.ts'
import type { Spec, Specs } from './specs.ts'
import { crewView } from './views.ts'
import type { Wake } from './wake.ts'
import type { Watch } from './watch.ts'

type Services = { crews: Crews; members: Runs; roles: Roles; specs: Specs; launching: Wake; watch: Watch }

type Prepared = { stages: Spec[][]; projectId: string | null }

const Before = z.object({ createdAt: z.number(), id: z.string() })
/** A crew may have had thousands; people look at its latest. */
const SHOWN = 200

export const crewOperations = [
  operation('role.list', 'read', async ({ roles }: Services, input) => ({
    roles: (await roles.list(input.refresh)).map(roleView),
  })),
  operation(
    'crew.run',
    'write',
    async ({ crews, members, launching }: Services, input, call: Running<Prepared>) => {
      const { caller: by, prepared } = call
      const asking = { by, opener: by }
      const [first = []] = prepared.stages
      const described = input.description ?? input.stages[0]?.tasks[0]?.prompt.slice(0, 200) ?? ''
      const crew = await crews.create(described, input.mode, prepared.projectId, by)
      const ids =
        input.mode === 'concurrent'
          ? await crews.start(crew.id, first, asking)
          : (await crews.submit(crew.id, prepared.stages, input.on_failure ?? 'stop', asking)).flat()
      call.afterCommit(() => launching.wake())
      return { crew: crewView(crew, ids), runs: await members.states(ids) }
    },
    async ({ specs }, { stages, directory }, call): Promise<Prepared> => ({
      stages: await Promise.all(
        stages.map(({ tasks }) =>
          specs.of(
            tasks.map(task => ({ workingDirectory: directory, ...task })),
            call,
          ),
        ),
      ),
      projectId: await specs.projectOf(call, directory),
    }),
  ),
  operation('crew.list', 'read', async ({ crews, members }: Services, input) => {
    const limit = limitOf(input.limit)
    const found = await crews.list(readCursor(input.cursor, Before), limit + 1)
    const rows = await Promise.all(
      found.map(async crew => ({ crew, ids: await members.ids(crew.id), open: await members.countOpen(crew.id) })),
    )
    const { items, ...page } = pageOf(
      rows,
      limit,
      ({ crew, ids, open }) => {
        const { agentIds: _, ...view } = crewView(crew, [])
        return { ...view, runs: ids.length, open }
      },
      ({ crew: { createdAt, id } }) => ({ createdAt, id }),
    )
    return { crews: items, ...page }
  }),
  operation('crew.show', 'read', async ({ crews, members, watch }: Services, input, call) => {
    const crew = await crews.get(input.crew_id, call.caller)
    const last = await watch.changed(crew.id, input.after_event, input.wait_ms ?? 0, call.signal)
    const ids = await members.ids(crew.id)
    const runs: CrewRunState[] = await members.states(ids.slice(-SHOWN))
    return { crew: crewView(crew, ids), runs, last_event: last }
  }),
  operation('crew.stop', 'destroy', async ({ crews, members }: Services, input, { caller }) => {
    const stopped = await crews.stop(input.crew_id, caller)
    const crew = await crews.get(input.crew_id, caller)
    return { crew: crewView(crew, await members.ids(crew.id)), runs: await members.states(stopped) }
  }),
  operation('crew.delete', 'destroy', async ({ crews, members }: Services, input, { caller }) => {
    await crews.delete(input.crew_id, caller)
    const crew = await crews.get(input.crew_id, caller)
    return { crew: crewView(crew, await members.ids(crew.id)) }
  }),
]
