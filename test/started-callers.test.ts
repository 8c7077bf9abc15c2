// What a run or a tab may do: read its own project, remember and plan there, and sign in as one of its agents.
import pg from 'pg'
import { expect, test } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import { Sqlite } from '#kernel/db/sqlite-port.ts'
import { callBy, invoke, onBoth, onStage, type Scene } from './scene.ts'

function run(projectId: string | null): Caller {
  return { kind: 'run', runId: 'run_1', crewId: 'grp-1-1', projectId, depth: 1 } as Caller
}

/** The run is one that goes on: what has ended, or never was, may not write. Its row comes past the hub, without a process. */
async function begin({ hub }: Pick<Scene, 'hub'>): Promise<void> {
  const row = "INSERT INTO runs (id, crew_id, depth, created_at, started_at) VALUES ('run_1', 'grp-1-1', 1, 1, 1)"
  if (hub.target.kind === 'sqlite') {
    const file = new Sqlite(hub.target.db)
    file.exec(row)
    return file.close()
  }
  const client = new pg.Client({ connectionString: hub.target.db })
  await client.connect()
  await client.query(row)
  await client.end()
}

const tab = (projectId: string) => ({ kind: 'tab', tabId: 'tab_1', projectId, depth: 1 }) as Caller

async function code(scene: Scene, tool: string, args: Record<string, unknown>, caller: Caller): Promise<string> {
  const outcome = await invoke(scene.hub, tool, args, callBy(caller))
  return outcome.ok ? 'ok' : outcome.error.code
}

onBoth('it reads and remembers in its own project, and nowhere else', async scene => {
  await begin(scene)
  for (const caller of [run(scene.projectId), tab(scene.projectId)]) {
    for (const [project, expected] of [
      [scene.projectId, 'ok'],
      [scene.other.projectId, 'NOT_ALLOWED'],
    ] as const) {
      expect(await code(scene, 'list_tasks', { project_id: project }, caller)).toBe(expected)
      expect(await code(scene, 'add-topic', { project_id: project, title: 't', description: 'd' }, caller)).toBe(
        expected,
      )
      expect(await code(scene, 'get_phase_context', { project_id: project, phase: 'phase0' }, caller)).toBe(expected)
    }
    expect(await code(scene, 'get_task', { task_id: scene.taskId }, caller)).toBe('ok')
    expect(await code(scene, 'get_task', { task_id: scene.other.taskId }, caller)).toBe('NOT_ALLOWED')
    expect(await code(scene, 'save_context', { task_id: scene.taskId, progress: 'p' }, caller)).toBe('NOT_ALLOWED')
    expect(await code(scene, 'get_pending_handoffs', { agent_id: scene.agentId }, caller)).toBe('AGENT_MISMATCH')
    expect(await code(scene, 'get_my_task', { session_token: scene.token }, caller)).toBe('AGENT_MISMATCH')
  }
})

onBoth('one that works outside of every project sees none', async scene => {
  await begin(scene)
  const homeless = run(null)
  const seen = async (tool: string, key: string, args = {}) => {
    const outcome = await invoke(scene.hub, tool, args, callBy(homeless))
    return outcome.ok ? (outcome.value as Record<string, unknown>)[key] : outcome.error.code
  }
  expect(await seen('list_tasks', 'tasks')).toEqual([])
  expect(await seen('get-projects', 'projects')).toEqual([])
  expect(await seen('list_execution_logs', 'logs')).toEqual([])
  expect(await seen('get_pending_handoffs', 'handoffs')).toEqual([])
  expect(await seen('get-topics', 'topics', { project_id: scene.projectId })).toBe('NOT_ALLOWED')
  expect(await seen('add-decision', 'decision_id', { decision: 'd', reason: 'r' })).toBe('NOT_ALLOWED')
})

test('it signs in as an agent of its own project, and does not leave it as that agent', () =>
  onStage({}, async ({ hub, peerId, peerPasskey, projectId, other }) => {
    await hub.api('project.assign', { project_id: other.projectId, agent_id: peerId })
    const identities: (Caller | undefined)[] = []
    const connection = {
      secret: 'of the run',
      opener: run(projectId),
      identifyAs: (who?: Caller) => void identities.push(who),
    }
    const signIn = async (project_id: string, caller: Caller) => {
      const args = { agent_id: peerId, passkey: peerPasskey, project_id }
      const outcome = await invoke(hub, 'authenticate', args, callBy(caller, { connection }))
      return outcome.ok ? 'ok' : outcome.error.code
    }
    expect(await signIn(other.projectId, run(projectId))).toBe('NOT_ALLOWED')
    expect(await signIn(projectId, run(projectId))).toBe('ok')
    const agent = { kind: 'agent', agentId: peerId, projectId, epoch: 1 } as Caller
    expect(identities).toEqual([agent])
    expect(await signIn(other.projectId, agent)).toBe('NOT_ALLOWED')
  }))
