// How a run ended. Exit codes lie: some programs end with 0 when they were interrupted, others give the HTTP status.
import type { Capabilities } from '#contract/known-engines.ts'
import type { Facts } from './facts.ts'

export type Verdict = { outcome: 'success' | 'error' | 'interrupted'; reason: string; message?: string | undefined }

/** As shells count, and programs that tidy up before they obey: claude ends with 143 when it is asked to. */
const CAUGHT: Record<number, NodeJS.Signals> = { 129: 'SIGHUP', 130: 'SIGINT', 137: 'SIGKILL', 143: 'SIGTERM' }

export function judge(
  capabilities: Pick<Capabilities, 'tellsEnd'>,
  facts: Facts,
  exit: { code: number | undefined; signal: NodeJS.Signals | undefined },
): Verdict {
  if (facts.end) return facts.end
  const message = facts.trouble ?? facts.quota?.message
  const signal = exit.signal ?? CAUGHT[exit.code ?? 0]
  if (signal) return { outcome: 'interrupted', reason: signal, message }
  if (exit.code !== 0) return { outcome: 'error', reason: `exit-code-${exit.code ?? 'unknown'}`, message }
  if (capabilities.tellsEnd) return { outcome: 'interrupted', reason: 'no-final-event', message }
  return { outcome: 'success', reason: 'exit-code-0' }
}
