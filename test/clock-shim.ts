// Sets the clocks of real processes: a small library between them and the system, made with the C compiler of the machine.
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCE = fileURLToPath(new URL('./fixtures/clock-shim.c', import.meta.url))

/** Where these tests can run. */
export const canSetClocks = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0

export class ClockShim {
  readonly #file: string
  readonly #library: string
  #wall = 0
  #monotonic = 0

  constructor(folder: string) {
    this.#file = path.join(folder, 'clock-offsets')
    this.#library = path.join(folder, 'clock-shim.so')
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', this.#library, SOURCE])
    this.#write()
  }

  /** For processes whose clocks are to follow. */
  get env(): NodeJS.ProcessEnv {
    return { LD_PRELOAD: this.#library, TORYO_TEST_CLOCK: this.#file }
  }

  /** The wall clock is set, or the machine slept. */
  jump(ms: number): void {
    this.#wall += ms
    this.#write()
  }

  /** As the process itself sees a stop (Ctrl-Z) of this length. */
  stop(ms: number): void {
    this.#wall += ms
    this.#monotonic += ms
    this.#write()
  }

  #write(): void {
    // In place: it is mapped by those who read it.
    const bytes = Buffer.alloc(16)
    bytes.writeBigInt64LE(BigInt(this.#wall), 0)
    bytes.writeBigInt64LE(BigInt(this.#monotonic), 8)
    writeFileSync(this.#file, bytes, { flag: this.#wall === 0 && this.#monotonic === 0 ? 'w' : 'r+' })
  }
}
