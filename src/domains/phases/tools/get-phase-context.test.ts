import { describe, expect, test } from 'vitest'
import { databases, testHub } from '#test/hub.ts'

describe.each(databases)('get_phase_context on %s', database => {
  test('tells the same three times: as text, structured, and at the top level', async () => {
    await using hub = await testHub({ database })
    const agent = await hub.connect({ directory: hub.home })
    await agent.call('inject_phase_prompt', { phase: 'phase0' })
    const first = { status: 'failed', outputFiles: ['a.md', 'b.md'] }
    await agent.call('transition_to_next_phase', { currentPhase: 'phase0', result: first })
    await agent.call('inject_phase_prompt', { phase: 'phase0' })
    const result = { status: 'completed', outputFiles: ['b.md', '設計.md'], summary: 'ok', lines: 12 }
    await agent.call('transition_to_next_phase', { currentPhase: 'phase0', result })

    const answer = await agent.call('get_phase_context', { phase: 'phase0' })
    expect(answer.body).toEqual({
      phase: 'phase0',
      status: 'completed',
      startedAt: expect.stringMatching(/Z$/),
      completedAt: expect.stringMatching(/Z$/),
      result,
      outputFiles: ['a.md', 'b.md', '設計.md'],
      project_id: expect.stringMatching(/^prj_/),
      checkpoints: [],
    })
    expect(answer.result['context']).toEqual(answer.body)
    expect(answer.result['structuredContent']).toEqual({ context: answer.body })
    const bare = await agent.call('get_phase_context', { phase: 'phase0', includeResults: false })
    expect(bare.body).toMatchObject({ status: 'completed', result: null, outputFiles: ['a.md', 'b.md', '設計.md'] })
  })

  test('a phase that nobody began waits, and looking at it makes no project', async () => {
    await using hub = await testHub({ database })
    const agent = await hub.connect({ directory: hub.home })
    const { body } = await agent.call('get_phase_context', { phase: 'phase4' })
    expect(body).toEqual({
      phase: 'phase4',
      status: 'pending',
      startedAt: null,
      completedAt: null,
      result: null,
      outputFiles: [],
      project_id: null,
      checkpoints: [],
    })
    expect((await hub.api('project.list', {})).projects).toEqual([])
  })

  test('gives the last checkpoints in the order in which they were saved, and leads to those before', async () => {
    await using hub = await testHub({ database })
    const agent = await hub.connect({ directory: hub.home })
    for (let index = 0; index < 25; index++)
      await agent.call('save_phase_result', { phase: 'phase3', result: { checkpoint: `c${index}`, data: { index } } })
    const names = (body: Record<string, unknown>) =>
      (body['checkpoints'] as { checkpoint: string }[]).map(({ checkpoint }) => checkpoint)
    const last = await agent.call('get_phase_context', { phase: 'phase3' })
    expect(names(last.body)).toEqual(Array.from({ length: 20 }, (_, index) => `c${index + 5}`))
    const older = await agent.call('get_phase_context', { phase: 'phase3', cursor: last.body['next_cursor'] })
    expect(names(older.body)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4'])
    expect(older.body['next_cursor']).toBeUndefined()
    const two = await agent.call('get_phase_context', { phase: 'phase3', limit: 2 })
    expect(names(two.body)).toEqual(['c23', 'c24'])
  })

  test('large checkpoints are cut before a client would drop the answer', async () => {
    await using hub = await testHub({ database })
    const agent = await hub.connect({ directory: hub.home })
    const data = { text: '"\\'.repeat(200_000) }
    for (const checkpoint of ['a', 'b', 'c'])
      await agent.call('save_phase_result', { phase: 'phase1', result: { checkpoint, data } })
    const { body, result } = await agent.call('get_phase_context', { phase: 'phase1' })
    expect(body['truncated']).toBe(true)
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(10 * 1024 * 1024)
    const rest = await agent.call('get_phase_context', { phase: 'phase1', cursor: body['next_cursor'] })
    expect(rest.body['checkpoints']).toHaveLength(1)
  })

  const refused: [why: string, args: Record<string, unknown>, code: string][] = [
    ['an unknown phase', { phase: 'phase' }, 'PHASE_NOT_FOUND'],
    ['a wrong flag', { phase: 'phase0', includeResults: 'yes' }, 'VALIDATION_ERROR'],
    ['a cursor of another list', { phase: 'phase0', project_id: 'prj_demo', cursor: 'x' }, 'VALIDATION_ERROR'],
    ['an unknown project', { phase: 'phase0', project_id: 'prj_x' }, 'PROJECT_NOT_FOUND'],
  ]

  test('refuses what it must', async () => {
    await using hub = await testHub({ database })
    await hub.seed()
    for (const [why, args, code] of refused) {
      const { isError, body } = await hub.call('get_phase_context', { context: { projectPath: hub.home }, ...args })
      expect({ why, isError, body }).toEqual({ why, isError: true, body: { error: expect.objectContaining({ code }) } })
    }
  })
})
