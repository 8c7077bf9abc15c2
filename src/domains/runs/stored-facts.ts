// Rows of earlier versions: there the input of some engines had in it what they read from a cache.
import type { Usage } from '#contract/usage-text.ts'
import type { RunFacts } from './model.ts'

type OldUsage = { input: number; output: number; cached: number }

/** Codex and Gemini CLI counted what was read from a cache as input, Claude Code and opencode did not. */
const INPUT_HAD_CACHED = new Set(['codex', 'gemini'])
const INPUT_WAS_NEW = new Set(['claude', 'opencode'])
/** Of the others output was without reasoning, or nobody knows. */
const OUTPUT_WAS_WHOLE = new Set(['claude', 'codex'])

export function readFacts(text: string, engine: string | null): RunFacts {
  const facts = JSON.parse(text) as Omit<RunFacts, 'usage'> & { usage?: Usage | OldUsage }
  const { usage, ...rest } = facts
  if (usage === undefined) return rest
  return { ...rest, usage: 'cached' in usage ? ofOldRow(usage, engine ?? '') : usage }
}

function ofOldRow({ input, output, cached }: OldUsage, engine: string): Usage {
  const fresh = INPUT_HAD_CACHED.has(engine) ? input - cached : INPUT_WAS_NEW.has(engine) || cached === 0 ? input : null
  return {
    input: fresh === null || fresh < 0 ? null : fresh,
    cache_read: cached,
    cache_write: null,
    output: OUTPUT_WAS_WHOLE.has(engine) ? output : null,
    reasoning: null,
  }
}
