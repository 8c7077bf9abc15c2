// The scripted engine as a program to launch, and what tests want to know about processes.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configuredEngine } from '#engines/configured.ts'
import type { Engine } from '#engines/engine.ts'
import type { Launch } from '#kernel/processes/launch.ts'

export { until } from './until.ts'

export const SCRIPTED_ENGINE = fileURLToPath(new URL('./fixtures/scripted-engine.js', import.meta.url))

export function newMarker(): string {
  return randomBytes(16).toString('hex')
}

/** Plays the steps; see the fixture for what there is. */
export function scripted(steps: readonly string[], changes: Partial<Launch> = {}): Launch {
  return {
    program: process.execPath,
    args: [SCRIPTED_ENGINE],
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '' },
    marker: newMarker(),
    stdin: steps.map(step => `!${step}\n`).join(''),
    ...changes,
  }
}

/** All processes with this mark that have not ended, found without the code under test. */
export function markedProcesses(marker: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(pid => {
      try {
        const state = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '')[0]
        return state !== 'Z' && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(marker)
      } catch {
        return false
      }
    })
}

export function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '')[0] !== 'Z'
  } catch {
    return false
  }
}

export function temporaryFolder(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), 'toryo-test-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** The scripted engine as the configuration would describe it. */
export function scriptedEngine(): Engine {
  const command = [process.execPath, SCRIPTED_ENGINE]
  const described = { headless: command, terminal: command, version: [...command, '--version'] }
  return configuredEngine('scripted', { ...described, output: 'claude', models: ['*'], env: [], projectConfig: [] })
}
