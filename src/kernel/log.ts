// The one logger: JSON lines on stderr and in a rotating file, never on stdout. Secrets are cut out by value and by pattern.
import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import pino from 'pino'
import { withoutSecrets } from '#contract/secrets.ts'
import { makeFolders } from '#system/files.ts'

export type Log = Pick<pino.Logger, 'error' | 'warn' | 'info' | 'debug'> & Partial<Pick<pino.Logger, 'isLevelEnabled'>>

const LEVELS = ['error', 'warn', 'info', 'debug'] as const
const FILE_BYTES = 8 * 1024 * 1024
const KEPT_FILES = 4
// Bounded on every side: a long word in a message must not cost more than reading it.
const PASSWORD_IN_URL = /\b([a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@]{1,256}:)[^\s@/]{1,1024}@/gi

export type LogOptions = {
  /** `LOG_LEVEL` 0–3: errors, warnings, information, everything. */
  level?: string | undefined
  file?: string
  stderr?: boolean
}

export type OwnedLog = Log & { hide(secret: string): void; dispose(): Promise<void> }

export function openLog(options: LogOptions): OwnedLog {
  const secrets = new Set<string>()
  const file = options.file ? new RotatingFile(options.file) : undefined
  const write = (line: string) => {
    let clean = withoutSecrets(line).replace(PASSWORD_IN_URL, '$1[hidden]@')
    for (const secret of secrets) clean = clean.replaceAll(secret, '[hidden]')
    if (options.stderr) process.stderr.write(clean)
    file?.write(clean)
  }
  const logger = pino(
    {
      level: LEVELS[Number(options.level ?? 2)] ?? 'info',
      base: null,
      messageKey: 'message',
      timestamp: () => `,"timestamp":"${new Date().toISOString()}"`,
      formatters: { level: label => ({ level: label.toUpperCase() }) },
    },
    { write },
  )
  return Object.assign(logger, {
    hide: (secret: string) => void secrets.add(secret),
    dispose: async () => file?.close(),
  })
}

/** Written at once, so that the last lines before a crash are there and a burst of lines is turned over in time. */
class RotatingFile {
  readonly #path: string
  /** Undefined once it is closed: the number may be another connection's socket by then. */
  #fd: number | undefined
  #size: number

  constructor(path: string) {
    this.#path = path
    makeFolders(dirname(path))
    this.#size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    this.#fd = openSync(path, 'a', 0o600)
  }

  write(line: string): void {
    if (this.#fd === undefined) return
    try {
      if (this.#size > FILE_BYTES) this.#rotate(this.#fd)
      this.#size += writeSync(this.#fd, line)
    } catch {
      // A log that cannot be written (full disk) must not take the hub down.
    }
  }

  close(): void {
    const open = this.#fd
    this.#fd = undefined
    if (open !== undefined) closeSync(open)
  }

  #rotate(full: number): void {
    this.#size = 0
    try {
      rmSync(`${this.#path}.${KEPT_FILES}`, { force: true })
      for (let index = KEPT_FILES - 1; index >= 0; index--) {
        const from = index === 0 ? this.#path : `${this.#path}.${index}`
        if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${this.#path}.${index + 1}`)
      }
    } catch {
      // Another hub of this folder did it at the same moment, or the disk refuses: the file only grows on.
    }
    this.#fd = openSync(this.#path, 'a', 0o600)
    closeSync(full)
  }
}
