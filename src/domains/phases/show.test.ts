// What the dashboard reads of a phase, and how a person begins the first.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databases, testHub } from '#test/hub.ts'
import { eventsOf, rowsOf } from '#test/scene.ts'

test.each(databases)(
  'a phase shows its result, its files, its checkpoints and what it was told (%s)',
  async database => {
    const directory = mkdtempSync(join(tmpdir(), 'toryo-phases-'))
    try {
      await using hub = await testHub({ database })
      const { project_id } = await hub.api('project.add', { name: 'shop', directory })
      const show = (phase: string) => hub.api('phase.show', { project_id, phase, language: 'en' })
      expect(await show('phase0')).toMatchObject({
        status: 'pending',
        told: null,
        saved: [],
        output_files: [],
        missing: [],
      })

      const content = '---\nrequires:\n  - docs/plan.md\n---\n# Ours\n\nPlan it.'
      await hub.api('phase.prompt.edit', { phase: 'phase0', language: 'en', content, project_id })
      await hub.api('phase.start', { project_id })
      await hub.call('save_phase_result', {
        phase: 'phase0',
        project_id,
        result: { checkpoint: 'half', data: { n: 1 } },
      })
      const before = await show('phase0')
      expect(before).toMatchObject({ status: 'in_progress', required: ['docs/plan.md'], missing: ['docs/plan.md'] })
      expect(before.told).toContain('Plan it.')
      expect(before.saved).toMatchObject([{ name: 'half', content: JSON.stringify({ n: 1 }, null, 2) }])

      mkdirSync(join(directory, 'docs'))
      writeFileSync(join(directory, 'docs', 'plan.md'), 'x')
      expect(await show('phase0')).toMatchObject({ missing: [] })
      await hub.api('phase.advance', { project_id, summary: 'planned', output_files: ['docs/plan.md', 'docs/gone.md'] })
      expect(await show('phase0')).toMatchObject({
        ...{ status: 'completed', outcome: 'completed', summary: 'planned' },
        output_files: [
          { path: 'docs/plan.md', there: true },
          { path: 'docs/gone.md', there: false },
        ],
      })
      const body = JSON.stringify({ project_id, phase: 'phase9' })
      expect((await hub.fetch('/api/phase.show', { method: 'POST', body })).status).toBe(404)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  },
)

test.each(databases)('of two who begin at once, one does; later it is left as it is (%s)', async database => {
  await using hub = await testHub({ database })
  const { projectId: project_id } = await hub.seed()
  const both = await Promise.all([hub.api('phase.start', { project_id }), hub.api('phase.start', { project_id })])
  expect(both.filter(({ started }) => started)).toHaveLength(1)
  await hub.api('phase.advance', { project_id, status: 'partial' })
  expect(await hub.api('phase.start', { project_id })).toEqual({ project_id, phase: 'phase1', started: false })
  expect(eventsOf(await rowsOf(hub, 'events'), 'phase.started')).toMatchObject([
    { phase: 'phase0' },
    { phase: 'phase1' },
  ])
})
