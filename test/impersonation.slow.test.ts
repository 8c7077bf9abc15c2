// T07: every tool, by every kind of caller, with every kind of id in every argument that names a caller or a thing.
// Only the cells listed as allowed write; a refusal because of who calls leaves a record, and nothing else.
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import { RESULTS, WORDS } from './arguments.ts'
import { databases, TestClock } from './hub.ts'
import {
  callBy,
  invoke,
  onStage,
  operator,
  readerOf,
  type Scene,
  success,
  type TableRows,
  toolsOf,
  withoutAudit,
} from './scene.ts'

const ID_ARGUMENTS = [
  'agent_id',
  'project_id',
  'task_id',
  'from_agent_id',
  'to_agent_id',
  'assignee_id',
  'handoff_id',
  'execution_id',
  'session_token',
  'topic_id',
  'parent_topic_id',
] as const
type IdArgument = (typeof ID_ARGUMENTS)[number]
type Owner = 'own' | 'peer' | 'foreign' | 'unknown' | 'null' | 'array' | 'proto'
const OWNERS: Owner[] = ['own', 'peer', 'foreign', 'unknown', 'null', 'array', 'proto']

type Things = Record<'own' | 'peer' | 'foreign', Record<IdArgument, string | number>>

/** What the worker, its peer and an agent of another project have: a task, a handoff, an execution, a session. */
async function things(scene: Scene): Promise<Things> {
  const { hub, other } = scene
  await hub.api('task.add', {
    id: 'tsk_peer',
    project_id: scene.projectId,
    title: 'p',
    assignee_id: scene.peerId,
    status: 'in_progress',
  })
  const peer = await hub.connect()
  const peerToken = await peer.signIn(scene.peerId, scene.peerPasskey, scene.projectId)
  const stranger = await hub.connect()
  const foreignToken = await stranger.signIn(other.agentId, other.passkey, other.projectId)
  const of = async (
    agent: string,
    project: string,
    task: string,
    session: string,
  ): Promise<Record<IdArgument, string | number>> => {
    await hub.call('get_my_task', { session_token: session })
    const { body } = await hub.call('list_execution_logs', { task_id: task })
    const handed = await hub.call('create_handoff', {
      task_id: task,
      from_agent_id: agent,
      to_agent_id: agent,
      summary: 's',
    })
    const topic = success(await hub.call('add-topic', { project_id: project, title: 't' }))['topic_id'] as number
    return {
      topic_id: topic,
      parent_topic_id: topic,
      agent_id: agent,
      from_agent_id: agent,
      to_agent_id: agent,
      assignee_id: agent,
      project_id: project,
      task_id: task,
      handoff_id: String(success(handed)['handoff_id']),
      execution_id: String((body['logs'] as { executionId: string }[])[0]?.executionId),
      session_token: session,
    }
  }
  return {
    own: await of(scene.agentId, scene.projectId, scene.taskId, scene.token),
    peer: await of(scene.peerId, scene.projectId, 'tsk_peer', peerToken),
    foreign: await of(other.agentId, other.projectId, other.taskId, foreignToken),
  }
}

function idOf(things: Things, name: IdArgument, owner: Owner): unknown {
  switch (owner) {
    case 'unknown':
      return `${name}_nobody`
    case 'null':
      return null
    case 'array':
      return [things.own[name]]
    case 'proto':
      return '__proto__'
    default:
      return things[owner][name]
  }
}

const REST: Record<string, unknown> = {
  ...WORDS,
  name: 'a new one',
  phase: 'phase0',
  currentPhase: 'phase0',
  status: 'todo',
  result: 'blocked',
  summary: 's',
  progress: 'p',
  exit_code: 1,
  duration_seconds: 1,
  log_file_path: 'x',
  passkey: 'not the passkey',
}

/** Whether this caller may write with ids of these owners. Those cells have tests of their own, beside each tool. */
function mayWrite(tool: string, caller: Caller['kind'], owners: Partial<Record<IdArgument, Owner>>): boolean {
  const all = Object.values(owners)
  // To take a task away from its agent, or to hand it over without a receiver, null is a value.
  const named = all.filter(
    owner => !(owner === 'null' && (owners.assignee_id === owner || owners.to_agent_id === owner)),
  )
  const ownProject = named.every(owner => owner === 'own' || owner === 'peer')
  const otherProject = named.every(owner => owner === 'foreign')
  switch (tool) {
    case 'should_start':
      return (caller === 'operator' || caller === 'runner') && (ownProject || otherProject)
    case 'get_my_task':
    case 'get_pending_tasks':
    case 'logout':
    case 'report_completed':
    case 'report_execution_start':
    case 'report_execution_complete':
      if (caller === 'operator') return ownProject || otherProject
      return (caller === 'agent' || caller === 'starter') && named.every(owner => owner === 'own')
    case 'save_context':
    case 'update_task_status':
    case 'assign_task':
    case 'create_handoff':
    case 'accept_handoff':
      if (caller === 'operator') return ownProject || otherProject
      return caller === 'agent' && ownProject && [owners.agent_id, owners.from_agent_id].every(id => id !== 'peer')
    case 'create_task':
    case 'update_task':
    case 'link_tasks':
      if (caller === 'operator') return ownProject || otherProject
      return ['agent', 'run', 'tab'].includes(caller) && ownProject
    case 'inject_phase_prompt':
    case 'save_phase_result':
    case 'transition_to_next_phase':
      if (caller === 'operator') return ownProject || otherProject
      return (caller === 'agent' || caller === 'run' || caller === 'tab') && ownProject
    case 'add-project':
      return caller === 'operator'
    case 'add-topic':
    case 'add-log':
    case 'add-decision': {
      // What is optional may be null; with no place at all, what an agent decides holds in its own project.
      const optional = tool === 'add-decision' ? all : [owners.parent_topic_id]
      const placed = all.filter(owner => !(owner === 'null' && optional.includes('null')))
      if (caller === 'operator') return isOneProject(placed)
      return ['agent', 'run', 'tab'].includes(caller) && placed.every(owner => owner === 'own' || owner === 'peer')
    }
    default:
      return false
  }
}

function isOneProject(owners: readonly (Owner | undefined)[]): boolean {
  return owners.every(owner => owner === 'own' || owner === 'peer') || owners.every(owner => owner === 'foreign')
}

/** Each argument takes every kind of id in turn, while the others are the caller's own. */
function* cellsOf(names: readonly IdArgument[]): Generator<Partial<Record<IdArgument, Owner>>> {
  const own: Partial<Record<IdArgument, Owner>> = Object.fromEntries(names.map(name => [name, 'own']))
  yield own
  for (const name of names) for (const owner of OWNERS) if (owner !== 'own') yield { ...own, [name]: owner }
}

// Thousands of calls, and every row read hundreds of times: minutes where much else runs.
const LONG = { timeout: 240_000 }

test.each(databases)(
  'only the allowed cells write, and a refusal because of who calls is on record (%s)',
  LONG,
  database =>
    // Time stands still: a session that is used for long is renewed, and that is a write.
    onStage({ database, clock: new TestClock() }, async scene => {
      const { hub } = scene
      const their = await things(scene)
      const identity = { agentId: scene.agentId, projectId: scene.projectId, epoch: 1 }
      const callers: Caller[] = [
        operator,
        { kind: 'agent', ...identity } as Caller,
        { kind: 'starter', ...identity } as Caller,
        { kind: 'runner', name: 'box:0a1b2c' },
        { kind: 'run', runId: 'run_own', crewId: 'grp-0-0', projectId: scene.projectId, depth: 1 } as Caller,
        { kind: 'run', runId: 'run_homeless', crewId: 'grp-0-0', projectId: null, depth: 1 } as Caller,
        { kind: 'tab', tabId: 'tab_own', projectId: scene.projectId, depth: 1 } as Caller,
      ]
      await using reader = await readerOf(hub)
      const refusals = ({ events = [] }: TableRows) => events.filter(({ type }) => type === 'call.refused').length
      let before = await reader.rows()
      let cells = 0
      for (const tool of toolsOf(hub))
        for (const caller of callers) {
          let forbidden = 0
          for (const owners of cellsOf(ID_ARGUMENTS.filter(name => name in tool.input.shape))) {
            if (mayWrite(tool.name, caller.kind, owners)) continue
            const ids = Object.entries(owners).map(([name, owner]) => [name, idOf(their, name as IdArgument, owner)])
            const args = { ...REST, ...RESULTS[tool.name], ...Object.fromEntries(ids) }
            const outcome = await invoke(hub, tool.name, args, callBy(caller))
            if (!outcome.ok && outcome.error.kind === 'forbidden') forbidden++
            expect(outcome.ok || outcome.error.kind !== 'internal', `${tool.name} ${JSON.stringify(owners)}`).toBe(true)
            cells++
          }
          const after = await reader.rows()
          const [left, stood] = [withoutAudit(after), withoutAudit(before)]
          // Hundreds of times the whole database: `toEqual` takes as long as all calls together, and is for the difference only.
          if (!isDeepStrictEqual(left, stood)) expect(left, `${tool.name} by ${caller.kind}`).toEqual(stood)
          const recorded = refusals(after) - refusals(before)
          expect(recorded, `${tool.name} by ${caller.kind}`).toBe(forbidden)
          before = after
        }
      expect(cells).toBeGreaterThan(1200)
    }),
)
