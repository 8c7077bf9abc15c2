import { describe, expect, test } from 'vitest'
import { databases, testHub } from '#test/hub.ts'

const save = (checkpoint: string, data: Record<string, unknown> = {}) => ({
  phase: 'phase3',
  result: { checkpoint, data },
})

describe.each(databases)('save_phase_result on %s', database => {
  test('keeps a checkpoint of any phase and changes nothing else', async () => {
    await using hub = await testHub({ database })
    const agent = await hub.connect({ directory: hub.home })
    const data = { filesGenerated: 5, remaining: ['css', '日本語'], nested: { deep: [null, true] } }
    const { result, text } = await agent.call('save_phase_result', save('html_structure_completed', data))
    expect(text).toBe('Phase 3: progress saved as checkpoint html_structure_completed.')
    const savedAt = result['savedAt']
    expect(savedAt).toMatch(/Z$/)
    expect(result['structuredContent']).toEqual({ message: text, savedAt, project_id: expect.stringMatching(/^prj_/) })
    const { body } = await agent.call('get_phase_context', { phase: 'phase3' })
    expect(body).toMatchObject({
      status: 'pending',
      result: null,
      checkpoints: [{ checkpoint: 'html_structure_completed', data, savedAt }],
    })
  })

  test('the same name twice is two checkpoints, in order, and they outlive the hub', async () => {
    await using hub = await testHub({ database })
    const agent = await hub.connect({ directory: hub.home })
    await agent.call('save_phase_result', save('half', { done: 1 }))
    await agent.call('save_phase_result', save('half', { done: 2 }))
    await hub.stop()
    await using again = await testHub({ target: hub.target })
    const { body } = await again.call('get_phase_context', { phase: 'phase3', context: { projectPath: hub.home } })
    expect(body['checkpoints']).toMatchObject([{ data: { done: 1 } }, { data: { done: 2 } }])
  })

  const refused: [why: string, args: Record<string, unknown>, code: string][] = [
    ['an unknown phase', { ...save('x'), phase: 'phaseX' }, 'PHASE_NOT_FOUND'],
    ['no name', save(''), 'VALIDATION_ERROR'],
    ['data that is no object', { phase: 'phase0', result: { checkpoint: 'x', data: 'text' } }, 'VALIDATION_ERROR'],
    ['no data', { phase: 'phase0', result: { checkpoint: 'x' } }, 'VALIDATION_ERROR'],
    ['an unknown project', { ...save('x'), project_id: 'prj_x' }, 'PROJECT_NOT_FOUND'],
  ]

  test('refuses what it must and writes nothing', async () => {
    await using hub = await testHub({ database })
    const agent = await hub.connect({ directory: hub.home })
    for (const [why, args, code] of refused) {
      const { isError, body } = await agent.call('save_phase_result', args)
      expect({ why, isError, body }).toEqual({ why, isError: true, body: { error: expect.objectContaining({ code }) } })
    }
    expect((await hub.api('hub.status', {})).last_event).toBe(0)
  })
})
