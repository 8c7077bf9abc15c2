// What tests of memory tools stand on: a hub with two projects and a topic each; and a table of refusals.
import { describe, expect, test } from 'vitest'
import { databases, type TestHub, testHub } from './hub.ts'
import { rowsOf } from './scene.ts'

/** Project 1 has topic 1 ("Storage"), project 2 has topic 2 ("Colours"). */
async function remembered(hub: TestHub): Promise<void> {
  for (const [number, name, title] of [
    [1, 'shop', 'Storage'],
    [2, 'blog', 'Colours'],
  ] as const) {
    await hub.call('add-project', { name })
    await hub.call('add-topic', { project_id: number, title })
  }
}

/** The same behaviour on both databases. */
export function onBothMemories(sentence: string, story: (hub: TestHub) => Promise<void>): void {
  test.each(databases)(`${sentence} (%s)`, async database => {
    await using hub = await testHub({ database })
    await remembered(hub)
    await story(hub)
  })
}

export type MemoryRefusal = {
  name: string
  args: Record<string, unknown>
  code: 'INVALID_PARAMETER' | 'NOT_FOUND'
  /** The finer code. */
  reason: string
  message: RegExp
}

export const unknownProject: MemoryRefusal = {
  name: 'a project that is not there',
  args: { project_id: 9, keyword: 'x' },
  code: 'NOT_FOUND',
  reason: 'PROJECT_NOT_FOUND',
  message: /9/,
}

function pageOfNothing(where: Record<string, unknown>): MemoryRefusal {
  return {
    name: 'no items a page',
    args: { ...where, limit: 0 },
    code: 'INVALID_PARAMETER',
    reason: 'INVALID_ARGUMENT',
    message: /limit/,
  }
}

/** Of a tool that lists the topics of a level. */
export const levelRefusals: readonly MemoryRefusal[] = [
  { ...unknownProject, args: { project_id: 9 } },
  {
    name: 'a parent in another project',
    args: { project_id: 1, parent_topic_id: 2 },
    code: 'NOT_FOUND',
    reason: 'TOPIC_NOT_FOUND',
    message: /2/,
  },
  pageOfNothing({ project_id: 1 }),
]

/** Of a tool that lists what belongs to a topic. */
export const ofTopicRefusals: readonly MemoryRefusal[] = [
  {
    name: 'a topic that is not there',
    args: { topic_id: 99 },
    code: 'NOT_FOUND',
    reason: 'TOPIC_NOT_FOUND',
    message: /99/,
  },
  { name: 'no topic', args: {}, code: 'INVALID_PARAMETER', reason: 'INVALID_ARGUMENT', message: /topic_id/ },
  pageOfNothing({ topic_id: 1 }),
]

/** Each refusal has exactly this body, and no row of any table changes. */
export function refusesMemory(tool: string, refusals: readonly MemoryRefusal[]): void {
  describe(`${tool} refuses`, () => {
    test.each(refusals)('$name', async ({ args, code, reason, message }) => {
      await using hub = await testHub()
      await remembered(hub)
      const before = await recordsOf(hub)
      const { body, isError, result } = await hub.call(tool, args)
      expect({ isError, body }).toEqual({
        isError: true,
        body: { error: { code, reason, message: expect.stringMatching(message) } },
      })
      expect(result['structuredContent']).toBeUndefined()
      expect(await recordsOf(hub)).toEqual(before)
    })
  })
}

/** What was remembered. The index beside it follows on its own time. */
async function recordsOf(hub: TestHub) {
  const { projects, topics, entries, decisions, events } = await rowsOf(hub)
  return { projects, topics, entries, decisions, events }
}

/** The payloads of all events of a type. */
export async function eventsOf(hub: TestHub, type: string): Promise<unknown[]> {
  const all = await hub.running.hub.events.since(0)
  return all.filter(event => event.type === type).map(({ payload }) => payload)
}
