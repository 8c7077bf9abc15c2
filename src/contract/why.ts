// Why something stands still, as a fact that is stored: of a task, of its checks, of its merge. why-text.ts has the sentences.
import { z } from 'zod'
import { RunEnd } from './run-end.ts'

/** A refusal, in the words that it was made with. */
export const Refusal = z.object({ en: z.string(), ja: z.string() })

/** Why the command that prepares a worktree failed. */
export const SetupFailure = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('not-found'), program: z.string() }),
  z.object({ kind: z.literal('stopped') }),
  z.object({ kind: z.literal('hub-ended') }),
  z.object({ kind: z.literal('too-long'), minutes: z.number() }),
  /** `last`: the last line that it wrote. */
  z.object({
    ...{ kind: z.literal('ended'), exitCode: z.int().nullable(), signal: z.string().nullable(), last: z.string() },
  }),
  /** In the words of the system. */
  z.object({ kind: z.literal('said'), text: z.string() }),
])
export type SetupFailure = z.infer<typeof SetupFailure>

/** What the hub adds to the output of a check. */
export const CheckRemark = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('clean') }),
  z.object({ kind: z.literal('changed-before') }),
  z.object({ kind: z.literal('hub-ended') }),
  z.object({ kind: z.literal('not-found'), program: z.string() }),
  z.object({ kind: z.literal('too-long'), minutes: z.number() }),
  z.object({ kind: z.literal('changed'), files: z.array(z.string()), more: z.int() }),
  /** It was not run in the clean checkout, which does not have this folder of the project, or cannot be prepared. */
  z.object({ kind: z.literal('no-folder'), folder: z.string() }),
  z.object({ kind: z.literal('setup-failed'), why: SetupFailure }),
  z.object({ kind: z.literal('setup-changes'), files: z.array(z.string()), more: z.int() }),
  /** In the words of the system. */
  z.object({ kind: z.literal('said'), text: z.string() }),
])
export type CheckRemark = z.infer<typeof CheckRemark>

const checked = { handle: z.string(), check: z.string(), evidence: z.string() }
const merged = { base: z.string(), merge: z.string() }

/** Why a task waits for a person. */
export const Blocked = z.discriminatedUnion('kind', [
  /** In the words of the agent or the person who blocked it. */
  z.object({ kind: z.literal('said'), text: z.string() }),
  z.object({ kind: z.literal('check-not-started'), ...checked, remark: CheckRemark.nullable() }),
  z.object({
    ...{ kind: z.literal('check-failed'), ...checked, count: z.int(), exitCode: z.int().nullable() },
    outcome: z.enum(['failed', 'timed_out', 'stale']),
  }),
  z.object({ kind: z.literal('check-unchanged'), ...checked }),
  z.object({ kind: z.literal('unreadable'), why: Refusal }),
  z.object({ kind: z.literal('sent-back'), count: z.int() }),
  z.object({ kind: z.literal('handed-back'), count: z.int(), unchanged: z.boolean() }),
  z.object({ kind: z.literal('silent'), restarts: z.int(), run: z.string().nullable(), end: RunEnd }),
  z.object({ kind: z.literal('conflicts'), ...merged, count: z.int(), files: z.array(z.string()) }),
  z.object({ kind: z.literal('merge-check-failed'), ...merged, count: z.int(), check: z.string() }),
  z.object({
    kind: z.literal('merge-check-not-started'),
    ...merged,
    check: z.string(),
    remark: CheckRemark.nullable(),
  }),
  /** It was in the queue when its rows came from another database. */
  z.object({ kind: z.literal('imported') }),
  z.object({ kind: z.literal('base-lacks'), ...merged, commit: z.string(), handle: z.string() }),
])
export type Blocked = z.infer<typeof Blocked>

const place = { base: z.string(), path: z.string() }

/** What a merge waits for. */
export const MergeNeeds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('no-base'), base: z.string() }),
  z.object({ kind: z.literal('no-folder'), project: z.string() }),
  /** They were added on another machine, and no person has looked at them on this one. */
  z.object({
    ...{ kind: z.literal('unseen-checks'), project: z.string() },
    checks: z.array(z.object({ name: z.string(), command: z.array(z.string()) })),
  }),
  z.object({ kind: z.literal('dirty'), ...place, files: z.array(z.string()), more: z.boolean() }),
  z.object({ kind: z.literal('gone'), ...place }),
  z.object({ kind: z.literal('unclear'), ...place }),
  z.object({ kind: z.literal('operation'), ...place, operation: z.string() }),
  z.object({ kind: z.literal('locked'), ...place }),
  z.object({ kind: z.literal('git'), said: z.string() }),
  z.object({ kind: z.literal('refused'), why: Refusal }),
  z.object({ kind: z.literal('fault') }),
])
export type MergeNeeds = z.infer<typeof MergeNeeds>

/** A reason that a person or an agent wrote stays text. */
export function inWords(text: string | null): Blocked | null {
  return text === null ? null : { kind: 'said', text }
}

/** Facts that were stored say the same as these. */
export function isSame(one: Blocked | MergeNeeds | null, other: Blocked | MergeNeeds | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
