// How people steer a project beyond one step ahead: back, another round, a corrected prompt, prompts of its own.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { databases, type TestConnection, TestClock, type TestHub, testHub } from '#test/hub.ts'

const metadata = (answer: { result: Record<string, unknown> }) => answer.result['metadata']

async function advance(hub: TestHub, project_id: string, ...summaries: string[]) {
  for (const summary of summaries)
    await hub.api('phase.advance', { project_id, summary, output_files: [`${summary}.md`] })
}

async function begun(hub: TestHub): Promise<{ project_id: string; agent: TestConnection }> {
  const { project_id } = await hub.api('project.add', { id: 'shop', name: 'shop', directory: hub.home })
  const agent = await hub.connect({ directory: hub.home })
  await agent.call('inject_phase_prompt', { phase: 'phase0' })
  return { project_id, agent }
}

async function refused(hub: TestHub, operation: string, input: object): Promise<string> {
  const response = await hub.fetch(`/api/${operation}`, { method: 'POST', body: JSON.stringify(input) })
  const { error } = (await response.json()) as { error: { code: string } }
  return `${response.status} ${error.code}`
}

describe.each(databases)('steering phases on %s', database => {
  test('a project goes back to a completed phase, with a reason that its agent reads, and keeps its history', async () => {
    const clock = new TestClock()
    await using hub = await testHub({ database, clock })
    const { project_id, agent } = await begun(hub)
    for (const summary of ['zero', 'one', 'two']) {
      clock.advance(1000)
      await advance(hub, project_id, summary)
    }
    clock.advance(1000)
    const back = await hub.api('phase.back', { project_id, phase: 'phase1', reason: 'the plan forgot payments' })
    expect(back).toEqual({ project_id, phase: 'phase1', left: ['phase2', 'phase3'] })
    const status = await hub.api('phase.status', { project_id })
    expect(status).toMatchObject({ current: 'phase1', round: 1 })
    expect(status.phases.map(phase => phase.status)).toEqual([
      'completed',
      'in_progress',
      'pending',
      'pending',
      'pending',
    ])
    expect(status.phases[1]).toMatchObject({ reason: 'the plan forgot payments', outcome: null })
    const { text } = await agent.call('inject_phase_prompt', { phase: 'phase1' })
    expect(text).toContain('"reason": "the plan forgot payments"')
    // Who still works on what was left hears where the project stands.
    const late = await agent.call('transition_to_next_phase', {
      currentPhase: 'phase3',
      result: { status: 'completed' },
    })
    expect(late.body).toMatchObject({ error: { code: 'INVALID_PHASE_TRANSITION', details: { current: 'phase1' } } })
    const context = await agent.call('get_phase_context', { phase: 'phase1' })
    expect(context.body).toMatchObject({ status: 'in_progress', outputFiles: ['one.md'] })

    clock.advance(1000)
    await advance(hub, project_id, 'one-again', 'two-again')
    expect(await hub.api('phase.status', { project_id })).toMatchObject({ current: 'phase3' })
    const { steps } = await hub.api('phase.history', { project_id })
    expect(steps.map(step => `${step.kind} ${step.phase} ${step.summary ?? step.reason}`)).toEqual([
      'ended phase2 two-again',
      'ended phase1 one-again',
      'back phase1 the plan forgot payments',
      'ended phase2 two',
      'ended phase1 one',
      'ended phase0 zero',
    ])
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await hub.api('phase.history', { project_id, limit: 2, ...(cursor && { cursor }) })
      seen.push(...page.steps.map(step => String(step.summary ?? step.reason)))
      cursor = page.next_cursor
    } while (cursor !== undefined)
    expect(seen).toEqual(steps.map(step => String(step.summary ?? step.reason)))
  })

  test('pages of the history leave nothing out when the clock was set back', async () => {
    const clock = new TestClock()
    await using hub = await testHub({ database, clock })
    const { project_id } = await begun(hub)
    await advance(hub, project_id, 'zero')
    await hub.api('phase.back', { project_id, phase: 'phase0', reason: 'first' })
    clock.jump(-60_000)
    await advance(hub, project_id, 'zero-again')
    await hub.api('phase.back', { project_id, phase: 'phase0', reason: 'second' })
    clock.jump(30_000)
    await advance(hub, project_id, 'zero-at-last')
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await hub.api('phase.history', { project_id, limit: 1, ...(cursor && { cursor }) })
      seen.push(...page.steps.map(step => String(step.summary ?? step.reason)))
      cursor = page.next_cursor
    } while (cursor !== undefined)
    expect(seen.toSorted()).toEqual(['first', 'second', 'zero', 'zero-again', 'zero-at-last'])
  })

  test('a finished project begins another round, and the first one stays on record', async () => {
    await using hub = await testHub({ database })
    const { project_id, agent } = await begun(hub)
    await agent.call('save_phase_result', { phase: 'phase0', result: { checkpoint: 'c', data: {} } })
    expect(await refused(hub, 'phase.restart', { project_id })).toBe('409 PHASES_NOT_FINISHED')
    await advance(hub, project_id, 'zero', 'one', 'two', 'three')
    const done = { currentPhase: 'phase4', result: { status: 'completed' } }
    expect((await agent.call('transition_to_next_phase', done)).text).toContain('`toryo phase restart`')
    const round = await hub.api('phase.restart', { project_id, reason: 'version 2' })
    expect(round).toEqual({ project_id, phase: 'phase0', round: 2 })
    const status = await hub.api('phase.status', { project_id })
    expect(status).toMatchObject({ current: 'phase0', round: 2 })
    expect(status.phases[0]).toMatchObject({ status: 'in_progress', checkpoints: 0, reason: 'version 2' })
    expect((await agent.call('get_phase_context', { phase: 'phase0' })).body).toMatchObject({
      status: 'in_progress',
      outputFiles: [],
      checkpoints: [],
    })
    // The report of the last round is not taken for one of this.
    expect((await agent.call('transition_to_next_phase', done)).body).toMatchObject({
      error: { code: 'INVALID_PHASE_TRANSITION' },
    })
    await advance(hub, project_id, 'zero-two')
    const { steps } = await hub.api('phase.history', { project_id })
    expect(steps.map(step => step.round)).toEqual([2, 2, 1, 1, 1, 1, 1])
  })

  test('only a completed phase is gone back to', async () => {
    await using hub = await testHub({ database })
    const { project_id } = await begun(hub)
    const back = (phase: string) => refused(hub, 'phase.back', { project_id, phase, reason: 'r' })
    expect(await back('phase0')).toBe('409 PHASE_NOT_COMPLETED')
    expect(await back('phase3')).toBe('409 PHASE_NOT_COMPLETED')
    expect(await back('phase9')).toBe('404 PHASE_NOT_FOUND')
    expect(await refused(hub, 'phase.back', { project_id, phase: 'phase0' })).toBe('400 INVALID_ARGUMENT')
    expect(await refused(hub, 'phase.back', { project_id, phase: 'phase0', reason: ' ' })).toBe('400 INVALID_ARGUMENT')
  })

  test('a corrected prompt is adopted by the phase in progress when a person says so', async () => {
    await using hub = await testHub({ database })
    const { project_id, agent } = await begun(hub)
    const edited = await hub.api('phase.prompt.edit', { phase: 'phase0', content: '# Corrected' })
    expect(edited).toMatchObject({ version: 2, kept_by: ['shop'] })
    expect(metadata(await agent.call('inject_phase_prompt', { phase: 'phase0' }))).toMatchObject({ version: 1 })
    const adopted = await hub.api('phase.refresh', { project_id })
    expect(adopted).toMatchObject({
      phase: 'phase0',
      prompts: [
        { language: 'en', version: 2, previous_version: 1, changed: true },
        { language: 'ja', version: 1, previous_version: 1, changed: false },
      ],
    })
    const after = await agent.call('inject_phase_prompt', { phase: 'phase0' })
    expect(after.text).toMatch(/^# Corrected\n/)
    expect(metadata(after)).toMatchObject({ version: 2 })
    const { last_event } = await hub.api('hub.status', {})
    const again = await hub.api('phase.refresh', { project_id })
    expect(again.prompts.map(prompt => prompt.changed)).toEqual([false, false])
    expect((await hub.api('hub.status', {})).last_event).toBe(last_event)
    await hub.api('project.add', { id: 'idle', name: 'idle' })
    expect(await refused(hub, 'phase.refresh', { project_id: 'idle' })).toBe('409 INVALID_PHASE_TRANSITION')
  })

  test('a refresh asks the source again, though its last answer is still good', async () => {
    let version = 1
    const source = createServer((request, response) => {
      const phase = request.url?.split('/').at(-1)
      response.end(JSON.stringify({ phase, version, content: `# Remote ${version}` }))
    })
    await new Promise<void>(resolve => source.listen(0, '127.0.0.1', resolve))
    const { port } = source.address() as AddressInfo
    await using hub = await testHub({ database, env: { PROMPT_API_URL: `http://127.0.0.1:${port}` } })
    const { project_id, agent } = await begun(hub)
    version = 2
    expect(metadata(await agent.call('inject_phase_prompt', { phase: 'phase0' }))).toMatchObject({ version: 1 })
    expect(await hub.api('phase.refresh', { project_id })).toMatchObject({
      prompts: [{ language: 'en', version: 2, previous_version: 1, changed: true }, { language: 'ja' }],
    })
    expect(metadata(await agent.call('inject_phase_prompt', { phase: 'phase0' }))).toMatchObject({ version: 2 })
    source.closeAllConnections()
    await new Promise(resolve => source.close(resolve))
    expect(await refused(hub, 'phase.refresh', { project_id })).toBe('503 CLOUD_API_ERROR')
    expect(metadata(await agent.call('inject_phase_prompt', { phase: 'phase0' }))).toMatchObject({ version: 2 })
    // A prompt of its own needs no source.
    await hub.api('phase.prompt.edit', { phase: 'phase0', content: '# Ours', project_id })
    await hub.api('phase.refresh', { project_id })
    expect((await agent.call('inject_phase_prompt', { phase: 'phase0' })).text).toMatch(/^# Ours\n/)
    const other = await hub.api('project.add', { id: 'other', name: 'other' })
    await hub.api('phase.prompt.edit', { phase: 'phase0', content: '# Theirs', project_id: other.project_id })
    const theirs = await hub.call('inject_phase_prompt', { phase: 'phase0', project_id: other.project_id })
    expect(theirs.text).toMatch(/^# Theirs\n/)
  })

  test("a project's own prompt goes before the hub's, has versions of its own, and can be given up", async () => {
    await using hub = await testHub({ database })
    const { project_id, agent } = await begun(hub)
    await hub.api('project.add', { id: 'other', name: 'other' })
    const shown = await hub.api('phase.prompt.show', { phase: 'phase1', project_id })
    expect(shown).toMatchObject({ project_id: null, version: 1, base_version: 0 })
    const own = await hub.api('phase.prompt.edit', { phase: 'phase1', content: '# Shop', base_version: 0, project_id })
    expect(own).toMatchObject({ project_id, version: 1, title: 'Shop' })
    expect(
      await refused(hub, 'phase.prompt.edit', { phase: 'phase1', content: '# X', base_version: 0, project_id }),
    ).toBe('409 PROMPT_CHANGED')
    await hub.api('phase.prompt.edit', { phase: 'phase1', content: '# Hub', base_version: 1 })
    const text = async (id: string) =>
      (await hub.call('inject_phase_prompt', { phase: 'phase1', project_id: id })).text.split('\n')[0]
    expect([await text(project_id), await text('other')]).toEqual(['# Shop', '# Hub'])

    const list = await hub.api('phase.prompt.list', { project_id })
    expect(list.prompts.map(prompt => [prompt.phase, prompt.project_id])).toEqual([
      ['phase0', null],
      ['phase1', project_id],
      ['phase2', null],
      ['phase3', null],
      ['phase4', null],
    ])
    expect((await hub.api('phase.prompt.list', {})).prompts.map(prompt => prompt.project_id)).toEqual(
      Array.from({ length: 5 }, () => null),
    )

    // In progress it is kept as the hub's would be.
    await advance(hub, project_id, 'zero')
    await agent.call('inject_phase_prompt', { phase: 'phase1' })
    const second = await hub.api('phase.prompt.edit', { phase: 'phase1', content: '# Shop 2', project_id })
    expect(second).toMatchObject({ version: 2, kept_by: [project_id] })
    expect(await text(project_id)).toBe('# Shop')
    await hub.api('phase.refresh', { project_id })
    expect(await text(project_id)).toBe('# Shop 2')

    const reset = await hub.api('phase.prompt.reset', { phase: 'phase1', project_id })
    expect(reset).toMatchObject({ project_id: null, version: 2, title: 'Hub' })
    expect(await text(project_id)).toBe('# Shop 2')
    await hub.api('phase.refresh', { project_id })
    expect(await text(project_id)).toBe('# Hub')
    const { prompts } = await hub.api('phase.prompt.history', { phase: 'phase1', project_id })
    expect(prompts.map(prompt => [prompt.version, prompt.title, prompt.bytes])).toEqual([
      [3, '', 0],
      [2, 'Shop 2', 8],
      [1, 'Shop', 6],
    ])
    const old = await hub.api('phase.prompt.show', { phase: 'phase1', project_id, version: 1 })
    expect(old).toMatchObject({ content: '# Shop', base_version: 3 })
    expect(await refused(hub, 'phase.prompt.show', { phase: 'phase1', project_id: 'nobody' })).toBe(
      '404 PROJECT_NOT_FOUND',
    )
  })

  test('rounds, turns and own prompts are in an export, and a new database takes them', async () => {
    await using hub = await testHub({ database })
    const { project_id } = await begun(hub)
    await hub.api('phase.prompt.edit', { phase: 'phase0', content: '# Ours', project_id })
    await advance(hub, project_id, 'zero', 'one')
    await hub.api('phase.back', { project_id, phase: 'phase1', reason: 'やり直し' })
    await advance(hub, project_id, 'one', 'two', 'three', 'four')
    await hub.api('phase.restart', { project_id })
    const lines = await (await hub.fetch('/api/export')).text()
    await using other = await testHub({ database })
    const response = await other.fetch('/api/import', { method: 'POST', body: lines })
    expect(response.status).toBe(200)
    for (const operation of ['phase.status', 'phase.history'] as const)
      expect(await other.api(operation, { project_id })).toEqual(await hub.api(operation, { project_id }))
    expect(await other.api('phase.prompt.show', { phase: 'phase0', project_id })).toMatchObject({ project_id })
    // One that was written before there were rounds.
    const old = lines
      .split('\n')
      .filter(line => !line.includes('"phase_turns"'))
      .map(line => line.replace(/,"round":\d+/, '').replace(/,"reason":(null|"[^"]*")/, ''))
    await using third = await testHub({ database })
    expect((await third.fetch('/api/import', { method: 'POST', body: old.join('\n') })).status).toBe(200)
    expect(await third.api('phase.status', { project_id })).toMatchObject({ current: 'phase0', round: 1 })
  })
})
