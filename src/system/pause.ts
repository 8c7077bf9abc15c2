import { setTimeout as sleep } from 'node:timers/promises'

/** With jitter, or two that met would meet again. */
export function pause(ms: number): Promise<void> {
  return sleep(ms * (0.5 + Math.random()))
}
