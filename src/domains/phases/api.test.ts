import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { databases, testHub } from '#test/hub.ts'
import { sql } from '#test/queries-past-the-hub.ts'

describe.each(databases)('phases over HTTP, on %s', database => {
  test('an edit is a new version; the old ones stay', async () => {
    await using hub = await testHub({ database })
    const before = await hub.api('phase.prompt.list', {})
    expect(before).toMatchObject({ remote: false })
    expect(before.prompts.map(prompt => [prompt.phase, prompt.version, prompt.author, prompt.created_at])).toEqual(
      ['phase0', 'phase1', 'phase2', 'phase3', 'phase4'].map(phase => [phase, 1, 'toryo', null]),
    )
    const shipped = await hub.api('phase.prompt.show', { phase: 'phase1', language: 'ja' })
    const second = await hub.api('phase.prompt.edit', { phase: 'phase1', language: 'ja', content: '# 二' })
    expect(second).toMatchObject({ version: 2, language: 'ja', author: 'operator', title: '二' })
    await hub.api('phase.prompt.edit', { phase: 'phase1', language: 'ja', content: '# 三', base_version: 2 })
    // The same text again is no new version.
    const same = await hub.api('phase.prompt.edit', { phase: 'phase1', language: 'ja', content: '# 三' })
    expect(same.version).toBe(3)
    const { prompts } = await hub.api('phase.prompt.history', { phase: 'phase1', language: 'ja' })
    expect(prompts.map(prompt => [prompt.version, prompt.author])).toEqual([
      [3, 'operator'],
      [2, 'operator'],
      [1, 'toryo'],
    ])
    const page = await hub.api('phase.prompt.history', { phase: 'phase1', language: 'ja', limit: 2 })
    const rest = await hub.api('phase.prompt.history', {
      phase: 'phase1',
      language: 'ja',
      cursor: String(page.next_cursor),
    })
    expect(rest.prompts.map(prompt => prompt.version)).toEqual([1])
    const old = await hub.api('phase.prompt.show', { phase: 'phase1', language: 'ja', version: 1 })
    expect([old.content, old.sha256]).toEqual([shipped.content, shipped.sha256])
    expect((await hub.api('phase.prompt.show', { phase: 'phase1', language: 'en' })).version).toBe(1)
  })

  test('two editors do not overwrite each other', async () => {
    await using hub = await testHub({ database })
    const edits = await Promise.allSettled(
      ['# A', '# B', '# C'].map(content => hub.api('phase.prompt.edit', { phase: 'phase0', content, base_version: 1 })),
    )
    expect(edits.filter(edit => edit.status === 'fulfilled')).toHaveLength(1)
    expect((await hub.api('phase.prompt.history', { phase: 'phase0' })).prompts).toHaveLength(2)
  })

  test('an operator sees, advances and retries', async () => {
    await using hub = await testHub({ database })
    const { projectId: project_id } = await hub.seed()
    const fresh = await hub.api('phase.status', { project_id })
    expect(fresh).toMatchObject({ name: 'demo', current: null })
    await hub.call('inject_phase_prompt', { phase: 'phase0', project_id })
    const first = await hub.api('phase.advance', { project_id, summary: 'by hand', output_files: ['a'] })
    expect(first).toMatchObject({ phase: 'phase0', next_phase: 'phase1', missing: [] })
    await hub.call('save_phase_result', { phase: 'phase1', project_id, result: { checkpoint: 'c', data: {} } })
    await hub.api('phase.advance', { directory: hub.home, status: 'failed' })
    expect(await hub.api('phase.retry', { project_id })).toEqual({ project_id, phase: 'phase1' })
    const status = await hub.api('phase.status', { project_id })
    expect(status.current).toBe('phase1')
    expect(status.phases.slice(0, 3)).toMatchObject([
      { status: 'completed', outcome: 'completed', summary: 'by hand', checkpoints: 0 },
      { status: 'in_progress', outcome: null, checkpoints: 1 },
      { status: 'pending', started_at: null },
    ])
  })

  const refused: [why: string, operation: string, input: Record<string, unknown>, status: number, code: string][] = [
    ['nothing began', 'phase.advance', { project_id: 'prj_demo' }, 409, 'INVALID_PHASE_TRANSITION'],
    ['nothing failed', 'phase.retry', { project_id: 'prj_demo' }, 409, 'PHASE_NOT_FAILED'],
    ['no phase of that name', 'phase.retry', { project_id: 'prj_demo', phase: 'x' }, 404, 'PHASE_NOT_FOUND'],
    ['no project', 'phase.status', { project_id: 'prj_x' }, 404, 'PROJECT_NOT_FOUND'],
    ['neither project nor folder', 'phase.status', {}, 400, 'INVALID_ARGUMENT'],
    ['no such version', 'phase.prompt.show', { phase: 'phase0', version: 9 }, 404, 'PROMPT_NOT_FOUND'],
    ['an empty prompt', 'phase.prompt.edit', { phase: 'phase0', content: '  ' }, 400, 'INVALID_ARGUMENT'],
    ['a huge prompt', 'phase.prompt.edit', { phase: 'phase0', content: 'あ'.repeat(90_000) }, 400, 'INVALID_ARGUMENT'],
    [
      'odd front matter',
      'phase.prompt.edit',
      { phase: 'phase0', content: '---\nx: 1\n---\n# P' },
      400,
      'INVALID_ARGUMENT',
    ],
    ['an older base', 'phase.prompt.edit', { phase: 'phase0', content: '# P', base_version: 7 }, 409, 'PROMPT_CHANGED'],
  ]

  test('refuses what it must', async () => {
    await using hub = await testHub({ database })
    await hub.seed()
    const before = await hub.api('hub.status', {})
    for (const [why, operation, input, status, code] of refused) {
      const response = await hub.fetch(`/api/${operation}`, { method: 'POST', body: JSON.stringify(input) })
      const { error } = (await response.json()) as { error: { code: string } }
      expect([why, response.status, error.code]).toEqual([why, status, code])
    }
    expect((await hub.api('hub.status', {})).last_event).toBe(before.last_event)
  })

  test('all of it is in an export, and a new database takes it', async () => {
    await using hub = await testHub({ database })
    const context = { projectPath: hub.home }
    await hub.api('phase.prompt.edit', { phase: 'phase0', content: '# 私たち' })
    await hub.call('inject_phase_prompt', { phase: 'phase0', context })
    await hub.call('save_phase_result', { phase: 'phase0', result: { checkpoint: 'c', data: { 鍵: 1 } }, context })
    const move = { currentPhase: 'phase0', result: { status: 'completed', summary: 'ok' }, context }
    const first = await hub.call('transition_to_next_phase', move)
    const lines = await (await hub.fetch('/api/export')).text()

    await using other = await testHub({ database })
    const response = await other.fetch('/api/import', { method: 'POST', body: lines })
    expect(response.status).toBe(200)
    expect((await other.call('transition_to_next_phase', move)).result).toEqual(first.result)
    for (const phase of ['phase0', 'phase1'])
      expect((await other.call('get_phase_context', { phase, context })).body).toEqual(
        (await hub.call('get_phase_context', { phase, context })).body,
      )
    expect((await other.api('phase.prompt.edit', { phase: 'phase0', content: '# 次' })).version).toBe(3)
  })

  test('a surprise is INTERNAL_ERROR with a reference; its text stays in the log', async () => {
    await using hub = await testHub({ database })
    // From outside, as a damaged database would have it.
    await sql(hub, 'ALTER TABLE phase_checkpoints RENAME TO gone')
    const { body, isError, text } = await hub.call('get_phase_context', {
      phase: 'phase0',
      context: { projectPath: hub.home },
    })
    expect(isError).toBe(false)
    expect(body).toMatchObject({ status: 'pending' })
    const saved = await hub.call('save_phase_result', {
      phase: 'phase0',
      result: { checkpoint: 'c', data: {} },
      context: { projectPath: hub.home },
    })
    expect(saved.body).toEqual({
      error: { code: 'INTERNAL_ERROR', message: expect.any(String), details: { ref: expect.stringMatching(/^ref_/) } },
    })
    expect(saved.text).not.toContain('phase_checkpoints')
    expect(text).not.toContain('phase_checkpoints')
    const { ref } = (saved.body['error'] as { details: { ref: string } }).details
    await hub.stop()
    expect(readFileSync(`${hub.home}/hub.log`, 'utf8')).toContain(ref)
  })
})
