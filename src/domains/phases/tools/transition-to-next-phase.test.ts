import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { databases, type TestHub, testHub } from '#test/hub.ts'

const move = (currentPhase: string, result: Record<string, unknown> = { status: 'completed' }) => ({
  currentPhase,
  result,
})

async function begun(hub: TestHub) {
  const agent = await hub.connect({ directory: hub.home })
  await agent.call('inject_phase_prompt', { phase: 'phase0' })
  return agent
}

describe.each(databases)('transition_to_next_phase on %s', database => {
  test('leads through all phases, one step at a time, and tells it at the top level too', async () => {
    await using hub = await testHub({ database })
    const agent = await begun(hub)
    for (const [phase, next] of [
      ['phase0', 'phase1'],
      ['phase1', 'phase2'],
      ['phase2', 'phase3'],
      ['phase3', 'phase4'],
    ] as const) {
      const { result, text } = await agent.call('transition_to_next_phase', move(phase))
      expect(result['nextPhase']).toBe(next)
      expect(result['transitionedAt']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      const { nextPhase, transitionedAt } = result
      expect(result['structuredContent']).toMatchObject({ message: text, nextPhase, transitionedAt })
      expect(text).toContain(`call inject_phase_prompt with phase "${next}"`)
    }
    const { result, text } = await agent.call('transition_to_next_phase', move('phase4'))
    expect(result['nextPhase']).toBeNull()
    expect(text).toContain('all phases are finished')
    const { phases, current } = await hub.api('phase.status', { directory: hub.home })
    expect(phases.map(phase => phase.status)).toEqual(Array(5).fill('completed'))
    expect(current).toBeNull()
  })

  test('partial leads on, failed does not', async () => {
    await using hub = await testHub({ database })
    const agent = await begun(hub)
    const partial = await agent.call('transition_to_next_phase', move('phase0', { status: 'partial', summary: 'half' }))
    expect(partial.result['nextPhase']).toBe('phase1')
    const failed = await agent.call('transition_to_next_phase', move('phase1', { status: 'failed', summary: 'no' }))
    expect(failed.result['nextPhase']).toBeNull()
    expect(failed.text).toContain('does not lead on')
    const { phases } = await hub.api('phase.status', { directory: hub.home })
    expect(phases.map(phase => [phase.status, phase.outcome]).slice(0, 3)).toEqual([
      ['completed', 'partial'],
      ['failed', 'failed'],
      ['pending', null],
    ])
  })

  test('the same call again gets the first answer; another result is refused', async () => {
    await using hub = await testHub({ database })
    const agent = await begun(hub)
    const result = { status: 'completed', summary: 'done', outputFiles: ['a.md'] }
    const first = await agent.call('transition_to_next_phase', move('phase0', result))
    const reordered = { outputFiles: ['a.md'], summary: 'done', status: 'completed' }
    expect(await agent.call('transition_to_next_phase', move('phase0', reordered))).toEqual(first)
    const other = await agent.call('transition_to_next_phase', move('phase0', { ...result, summary: 'other' }))
    expect(other.body).toEqual({
      error: {
        code: 'INVALID_PHASE_TRANSITION',
        message: 'phase0 is completed, not in progress. phase1 is the one in progress.',
        details: { phase: 'phase0', status: 'completed', current: 'phase1' },
      },
    })
    const failed = await agent.call('transition_to_next_phase', move('phase1', { status: 'failed' }))
    expect(await agent.call('transition_to_next_phase', move('phase1', { status: 'failed' }))).toEqual(failed)
    await agent.call('inject_phase_prompt', { phase: 'phase1' })
    await agent.call('transition_to_next_phase', move('phase1', { status: 'failed' }))
    const { phases } = await hub.api('phase.status', { directory: hub.home })
    expect(phases[1]).toMatchObject({ status: 'failed' })
  })

  test('of many that advance at once one does; nobody takes two steps', async () => {
    await using hub = await testHub({ database })
    await begun(hub)
    const agents = await Promise.all(Array.from({ length: 8 }, () => hub.connect({ directory: hub.home })))
    const answers = await Promise.all(
      agents.map((agent, index) =>
        agent.call('transition_to_next_phase', move('phase0', { status: 'completed', summary: `by ${index % 2}` })),
      ),
    )
    const advanced = answers.filter(answer => !answer.isError)
    expect(advanced).toHaveLength(4)
    expect(new Set(advanced.map(answer => JSON.stringify(answer.result))).size).toBe(1)
    for (const answer of answers.filter(answer => answer.isError))
      expect(answer.body).toMatchObject({ error: { code: 'INVALID_PHASE_TRANSITION' } })
    const { phases } = await hub.api('phase.status', { directory: hub.home })
    expect(phases.map(phase => phase.status).slice(0, 3)).toEqual(['completed', 'in_progress', 'pending'])
  })

  test('completed is refused while required files are missing; partial passes and says so', async () => {
    await using hub = await testHub({ database })
    const content = '---\nrequires:\n  - docs/requirements.md\n  - "docs/設計.md"\n---\n\n# Phase 0\n'
    await hub.api('phase.prompt.edit', { phase: 'phase0', content })
    const agent = await hub.connect({ directory: hub.home })
    const prompt = await agent.call('inject_phase_prompt', { phase: 'phase0' })
    expect(prompt.text).toMatch(/^# Phase 0\n/)
    expect(prompt.text).toContain('"docs/設計.md"')
    mkdirSync(join(hub.home, 'docs'))
    writeFileSync(join(hub.home, 'docs/requirements.md'), 'R1')
    symlinkSync('/etc/hosts', join(hub.home, 'docs/設計.md'))

    const refused = await agent.call('transition_to_next_phase', move('phase0'))
    expect(refused.body).toMatchObject({
      error: { code: 'INVALID_PHASE_TRANSITION', details: { missing: ['docs/設計.md'] } },
    })
    expect(refused.body).toMatchObject({ error: { message: expect.stringContaining('docs/設計.md') } })
    const partial = await agent.call('transition_to_next_phase', move('phase0', { status: 'partial' }))
    expect(partial.text).toContain('Required files are still missing: docs/設計.md.')
    expect(partial.result['structuredContent']).toMatchObject({ nextPhase: 'phase1', missing: ['docs/設計.md'] })
  })

  test('what an agent made in a worktree of its own counts as evidence', async () => {
    await using hub = await testHub({ database })
    const { projectId } = await hub.seed()
    await hub.api('phase.prompt.edit', { phase: 'phase0', content: '---\nrequires: [a.md]\n---\n# Phase 0' })
    const worktree = join(hub.home, 'worktree')
    mkdirSync(worktree)
    writeFileSync(join(worktree, 'a.md'), '')
    const agent = await hub.connect({ directory: worktree })
    await agent.call('inject_phase_prompt', { phase: 'phase0', project_id: projectId })
    const answer = await agent.call('transition_to_next_phase', { ...move('phase0'), project_id: projectId })
    expect(answer.result['nextPhase']).toBe('phase1')
  })

  test('publishes what happened', async () => {
    await using hub = await testHub({ database })
    const seen: [string, unknown][] = []
    const forget = hub.running.hub.events.subscribe(event => seen.push([event.type, event.payload]))
    const agent = await begun(hub)
    await agent.call('transition_to_next_phase', move('phase0'))
    await expect.poll(() => seen.length).toBe(4)
    forget()
    expect(seen.map(([type]) => type)).toEqual(['project.added', 'phase.started', 'phase.ended', 'phase.started'])
    expect(seen[2]?.[1]).toMatchObject({ phase: 'phase0', outcome: 'completed', next: 'phase1' })
  })

  const refused: [why: string, args: Record<string, unknown>, code: string][] = [
    ['a phase that waits', move('phase2'), 'INVALID_PHASE_TRANSITION'],
    ['an unknown phase', move('phase7'), 'PHASE_NOT_FOUND'],
    ['an unknown status', move('phase0', { status: 'done' }), 'VALIDATION_ERROR'],
    ['a result without status', move('phase0', {}), 'VALIDATION_ERROR'],
    ['no result', { currentPhase: 'phase0' }, 'VALIDATION_ERROR'],
    ['files that are no list', move('phase0', { status: 'completed', outputFiles: 'a' }), 'VALIDATION_ERROR'],
  ]

  test('refuses what it must and writes nothing', async () => {
    await using hub = await testHub({ database })
    const agent = await begun(hub)
    const before = await hub.api('hub.status', {})
    for (const [why, args, code] of refused) {
      const { isError, body } = await agent.call('transition_to_next_phase', args)
      expect({ why, isError, body }).toEqual({ why, isError: true, body: { error: expect.objectContaining({ code }) } })
    }
    expect((await hub.api('hub.status', {})).last_event).toBe(before.last_event)
  })

  test('a folder where nothing began gets no project by a refused call', async () => {
    await using hub = await testHub({ database })
    const agent = await hub.connect({ directory: hub.home })
    const answer = await agent.call('transition_to_next_phase', move('phase0'))
    expect(answer.body).toMatchObject({ error: { code: 'INVALID_PHASE_TRANSITION', details: { status: 'pending' } } })
    expect((await hub.api('project.list', {})).projects).toEqual([])
  })
})
