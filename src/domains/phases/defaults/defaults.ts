import type { Lang } from '#contract/errors.ts'
import type { Phase } from '#contract/phases.ts'
import { phase0 } from './phase0.ts'
import { phase1 } from './phase1.ts'
import { phase2 } from './phase2.ts'
import { phase3 } from './phase3.ts'
import { phase4 } from './phase4.ts'

/** The prompts that come with the program. They require no files: that is each project's own to say. */
export const DEFAULTS: Record<Lang, Record<Phase, string>> = {
  en: { phase0: phase0.en, phase1: phase1.en, phase2: phase2.en, phase3: phase3.en, phase4: phase4.en },
  ja: { phase0: phase0.ja, phase1: phase1.ja, phase2: phase2.ja, phase3: phase3.ja, phase4: phase4.ja },
}
