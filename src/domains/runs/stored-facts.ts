// Rows of earlier versions: there the input of some engines had in it what they read from a cache.
import { isCost, isCount, type Usage } from '#contract/usage-text.ts'
import type { RunFacts } from './model.ts'

/** Of which anything may be said: what no engine can have meant was stored, too. */
type OldUsage = Record<'input' | 'output' | 'cached', unknown>

/** Codex and Gemini CLI counted what was read from a cache as input, Claude Code and opencode did not. */
const INPUT_HAD_CACHED = new Set(['codex', 'gemini'])
const INPUT_WAS_NEW = new Set(['claude', 'opencode'])
/** Of the others output was without reasoning, or nobody knows. */
const OUTPUT_WAS_WHOLE = new Set(['claude', 'codex'])

export function readFacts(text: string, engine: string | null): RunFacts {
  const stored = JSON.parse(text) as Omit<RunFacts, 'usage'> & { usage?: Usage | OldUsage }
  const { usage, costUsd } = stored
  // In the order in which it was stored: what is said again is known by its text.
  const facts = stored as RunFacts
  if (usage !== undefined && 'cached' in usage) facts.usage = ofOldRow(usage, engine ?? '')
  if (costUsd !== undefined && !isCost(costUsd)) delete facts.costUsd
  return facts
}

function ofOldRow(old: OldUsage, engine: string): Usage {
  const [input, output, cache_read] = [count(old.input), count(old.output), count(old.cached)]
  return {
    input: newOf(input, cache_read, engine),
    cache_read,
    cache_write: null,
    output: OUTPUT_WAS_WHOLE.has(engine) ? output : null,
    reasoning: null,
  }
}

function newOf(input: number | null, cached: number | null, engine: string): number | null {
  if (INPUT_WAS_NEW.has(engine) || cached === 0) return input
  if (!INPUT_HAD_CACHED.has(engine) || input === null || cached === null) return null
  return count(input - cached)
}

function count(value: unknown): number | null {
  return isCount(value) ? value : null
}
