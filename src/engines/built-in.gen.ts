// Written by `npm run gen` from the files in src/engines. Do not edit.
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { cursor } from './cursor.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import { qwen } from './qwen.ts'
import type { BuiltInEngine } from './engine.ts'

const all: readonly BuiltInEngine[] = [claude, codex, copilot, cursor, gemini, opencode, qwen]

/** The one to prefer first. */
export const BUILT_IN = all.toSorted((a, b) => a.rank - b.rank)
