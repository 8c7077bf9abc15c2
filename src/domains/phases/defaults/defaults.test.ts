import { expect, test } from 'vitest'
import { PHASES } from '#contract/phases.ts'
import { tools } from '#hub/tools.gen.ts'
import { parsePrompt } from '../front-matter.ts'
import { DEFAULTS } from './defaults.ts'

/** Toolsets that other parts bring. */
const KNOWN = new Set([
  ...tools.map(tool => tool.name),
  'create_group',
  'run_agents',
  'wait_agent',
  'gwt_launch_agent',
  'add-topic',
  'add-decision',
  'add-log',
  'get-decisions',
  'recall',
])
const NO_TOOLS = new Set(['in_progress', 'project_id'])

test.each(['en', 'ja'] as const)(
  'the prompts in %s say what to make, how to check it, when to save and when to go on',
  lang => {
    const sections = new Set<string>()
    for (const phase of PHASES) {
      const { text, requires } = parsePrompt(DEFAULTS[lang][phase])
      expect(requires).toEqual([])
      expect(text).toMatch(new RegExp(`^# Phase ${phase.slice(-1)}: .+\n`))
      sections.add((text.match(/^## .+$/gm) ?? []).join('|'))
      for (const word of [
        'save_phase_result',
        'transition_to_next_phase',
        `"${phase}"`,
        '"completed"',
        '"partial"',
        '"failed"',
      ])
        expect(text).toContain(word)
      const named = text.match(/\b[a-z]+(?:[_][a-z]+)+\b|\b(?:add|get)-[a-z]+\b|\brecall\b/g) ?? []
      expect(named.filter(name => !KNOWN.has(name) && !NO_TOOLS.has(name))).toEqual([])
    }
    expect([...sections]).toHaveLength(1)
    expect([...sections][0]?.split('|')).toHaveLength(5)
  },
)

test('both languages name the same tools and files', () => {
  const words = (text: string) =>
    [...new Set(text.match(/\b[a-z]+_[a-z_]+\b|\b(?:add|get)-[a-z]+\b|\bdocs\/\w+\.md\b/g))].sort()
  for (const phase of PHASES) expect(words(DEFAULTS.ja[phase])).toEqual(words(DEFAULTS.en[phase]))
})
