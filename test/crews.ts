// What tests of crews stand on: a hub whose roles are played by the scripted engine, and the usual calls.
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, type TestConnection, type TestHub, type TestHubOptions, testHub } from './hub.ts'
import { build } from './processes.ts'
import { rowsOf, type TableRows, withoutAudit } from './scene.ts'
import { SCRIPTED_ENGINE } from './scripted.ts'

type Body = Record<string, unknown>
export type Asked = { role?: string; prompt: string; workingDirectory?: string; timeout_ms?: number }
type Limits = { runs?: number; depth?: number; runMinutes?: number; silenceMinutes?: number }

export function scriptedConfig(limits: Limits = {}) {
  const command = [process.execPath, SCRIPTED_ENGINE]
  return {
    limits,
    engines: {
      scripted: { headless: command, version: [...command, '--version'], output: 'claude', models: ['small', 'big'] },
      missing: { headless: ['/nowhere/at-all'] },
    },
    roles: [
      {
        id: 'worker',
        name: 'Worker',
        engine: 'scripted',
        model: 'small',
        instructions: 'You work.',
        // It starts others.
        toolsets: ['crews'],
      },
      { id: 'lost', engine: 'missing', model: 'default' },
      { id: 'odd', engine: 'scripted', model: 'huge' },
    ],
  }
}

export type CrewHub = {
  hub: TestHub
  /** Where runs work. */
  folder: string
  group: (mode?: string) => Promise<string>
  /** Starts them side by side in a group of their own, and answers their ids. */
  start: (...asked: (Asked | string)[]) => Promise<string[]>
  plan: (stages: (Asked | string)[][], onFailure?: string) => Promise<{ groupId: string; stages: string[][] }>
  state: (agentId: string) => Promise<Body>
  /** Waits until they have ended, however they end. */
  ended: (...ids: string[]) => Promise<Body[]>
  until: (agentId: string, wanted: string | ((state: Body) => boolean)) => Promise<Body>
}

export type CrewOptions = TestHubOptions & { limits?: Limits }

export async function onCrew(options: CrewOptions, story: (crew: CrewHub) => Promise<void>): Promise<void> {
  await using crew = await openCrew(options)
  await story(crew)
}

async function openCrew(options: CrewOptions): Promise<CrewHub & AsyncDisposable> {
  build()
  const { limits, ...rest } = options
  const hub = await testHub({ config: scriptedConfig(limits), engineEnv: { PATH: process.env.PATH }, ...rest })
  const folder = join(realpathSync(hub.home), 'work')
  mkdirSync(folder, { recursive: true })
  return { ...crewOn(hub, folder), [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() }
}

export function onBothCrews(
  sentence: string,
  story: (crew: CrewHub) => Promise<void>,
  options: CrewOptions = {},
): void {
  test.each(databases)(`${sentence} (%s)`, database => onCrew({ ...options, database }, story))
}

export function crewOn(hub: TestHub, folder: string, by: TestHub | TestConnection = hub): CrewHub {
  const call = async (tool: string, args: Body): Promise<Body> => {
    const { body, isError } = await by.call(tool, args)
    if (isError) throw new Error(`${tool}: ${JSON.stringify(body)}`)
    return body
  }
  const full = (asked: Asked | string) => ({
    role: 'worker',
    workingDirectory: folder,
    ...(typeof asked === 'string' ? { prompt: asked } : asked),
  })
  const group = async (mode?: string) =>
    String((await call('create_group', { description: 'test', ...(mode && { mode }) }))['groupId'])
  const state = (agentId: string) => call('get_agent_status', { agentId })
  return {
    hub,
    folder,
    group,
    state,
    async start(...asked) {
      const { agents } = await call('run_agents', { groupId: await group(), agents: asked.map(full) })
      return (agents as { agentId: string }[]).map(({ agentId }) => agentId)
    },
    async plan(stages, onFailure) {
      const groupId = await group('sequential')
      const tasks = stages.map(stage => ({ tasks: stage.map(full) }))
      const answer = await call('run_sequential', { groupId, stages: tasks, ...(onFailure && { onFailure }) })
      return { groupId, stages: (answer['stages'] as { agentIds: string[] }[]).map(({ agentIds }) => agentIds) }
    },
    async ended(...ids) {
      for (;;) {
        const answer = await call('wait_agent', { agentIds: ids })
        if (answer['resume'] === false) break
      }
      return Promise.all(ids.map(state))
    },
    async until(agentId, wanted) {
      for (;;) {
        const now = await state(agentId)
        if (typeof wanted === 'string' ? now['status'] === wanted : wanted(now)) return now
        expect(['queued', 'running', 'resultReported'], JSON.stringify(now)).toContain(now['status'])
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    },
  }
}

export type CrewRefusal = {
  name: string
  args: (crew: CrewHub) => Body | Promise<Body>
  code: string
  message: string | RegExp
}

/** Each refusal has exactly this body, and no row of any table changes. */
export function refusesCrew(tool: string, refusals: CrewRefusal[], options: CrewOptions = {}): void {
  describe.each(databases)(`${tool} refuses, and writes nothing (on %s)`, database => {
    let crew: CrewHub & AsyncDisposable
    let client: TestConnection
    beforeAll(async () => {
      crew = await openCrew({ ...options, database })
      client = await crew.hub.connect({ toolsets: 'crews' })
    })
    afterAll(() => crew[Symbol.asyncDispose]())

    test.each(refusals.map(refusal => [refusal.name, refusal] as const))('%s', async (_, { args, code, message }) => {
      const given = await args(crew)
      const before = await rowsOf(crew.hub)
      const { body, isError, result } = await client.call(tool, given)
      const sentence = message instanceof RegExp ? expect.stringMatching(message) : message
      expect({ isError, body }).toEqual({ isError: true, body: { error: true, code, message: sentence } })
      expect(result['structuredContent']).toBeUndefined()
      expect(still(await rowsOf(crew.hub))).toEqual(still(before))
    })
  })
}

/** A hub says of its runs every now and then that it is there. */
function still(rows: TableRows): TableRows {
  return withoutAudit({ ...rows, runs: (rows['runs'] ?? []).map(run => ({ ...run, heard_at: 0 })) })
}
