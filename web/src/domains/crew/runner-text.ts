import { machineOf } from '../../parts/machine-of.ts'
import type { CrewWords } from './words.ts'

/** As people would say it. */
export function runnerText(runner: string, { by }: CrewWords): string {
  const machine = machineOf(runner)
  return machine === undefined ? by.runner(runner) : by.runnerOn(machine)
}
