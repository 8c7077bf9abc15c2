// A user of a test: a home folder, the engines' config files in it, and a TORYO_HOME. Never the real one.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Disk } from '#system/files.ts'
import type { Owner } from '#registration/ledger.ts'
import { readLedger } from '#registration/ledger.ts'
import { lifeOf, ownMark, type ProcessMark } from '#system/process-identity.ts'
import { Registrar } from '#registration/registrar.ts'
import type { Command } from '#registration/targets.ts'

/** A kill loses nothing that was written; only a power cut does. That syncs happen, and when, files.slow.test.ts sees. */
export const quickDisk: Disk = { ...fs, fsyncSync() {} }

/** A disk of a process that waits for a lock: `seen` settles when they have looked at it, found it taken, and looked again. */
export function waitersDisk(): { disk: Disk; seen: Promise<void> } {
  let looks = 0
  let twice = () => {}
  const seen = new Promise<void>(resolve => (twice = resolve))
  const readdirSync = new Proxy(fs.readdirSync, {
    apply(target, self, args: Parameters<typeof fs.readdirSync>) {
      if (++looks === 2) twice()
      return Reflect.apply(target, self, args)
    },
  })
  return { disk: { ...quickDisk, readdirSync }, seen }
}

export const person: Owner = { kind: 'person' }

/** A hub of this very process. */
export const thisHub: Owner = { kind: 'hub', db: '/data/this.db', process: ownMark() }

/** One that ran in this boot and has ended: no process has this number and start. */
export const deadHub: Owner = {
  kind: 'hub',
  db: '/data/dead.db',
  process: { ...ownMark(), pid: 2 ** 22 + 1, start: '1' } satisfies ProcessMark,
}

/** Another process that runs: our parent. */
export function otherHub(): Owner {
  const start = startOf(process.ppid)
  return { kind: 'hub', db: '/data/other.db', process: { ...ownMark(), pid: process.ppid, start } }
}

export class Home implements Disposable {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-registration-')))
  readonly toryo = path.join(this.folder, '.toryo')
  readonly bin = path.join(this.folder, 'bin')
  readonly command: Command = { runtime: '/usr/bin/node', bridge: '/opt/toryo/dist/bridge.js' }
  readonly claude = path.join(this.folder, '.claude.json')
  readonly codex = path.join(this.folder, '.codex', 'config.toml')
  readonly gemini = path.join(this.folder, '.gemini', 'settings.json')

  constructor() {
    if (this.folder === os.homedir() || this.folder === process.env['HOME']) throw new Error('the real home')
    fs.mkdirSync(this.toryo, { mode: 0o700 })
    fs.mkdirSync(this.bin)
  }

  get env() {
    return { HOME: this.folder, TORYO_HOME: this.toryo, PATH: this.bin }
  }

  registrar(disk: Disk = quickDisk, mark?: ProcessMark): Registrar {
    return new Registrar({
      home: this.toryo,
      userHome: this.folder,
      env: this.env,
      isGone: owner => lifeOf(owner.process) === 'dead',
      disk,
      ...(mark ? { mark } : {}),
    })
  }

  /** An engine that is there but was never used. */
  install(...programs: string[]): void {
    for (const program of programs) fs.writeFileSync(path.join(this.bin, program), '#!/bin/sh\n', { mode: 0o755 })
  }

  write(file: string, content: string | Buffer, mode = 0o644): void {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content)
    fs.chmodSync(file, mode)
  }

  read(file: string): string {
    return fs.readFileSync(file, 'utf8')
  }

  ledger() {
    return readLedger(this.toryo)
  }

  /** Every file and folder but our own notes: names, links, modes and content. */
  picture(): Record<string, string> {
    const seen: Record<string, string> = {}
    const walk = (folder: string) => {
      for (const name of fs.readdirSync(folder)) {
        const file = path.join(folder, name)
        if (file === this.toryo || file === this.bin) continue
        const stats = fs.lstatSync(file)
        const kind = stats.isSymbolicLink()
          ? `-> ${fs.readlinkSync(file)}`
          : stats.isDirectory()
            ? 'folder'
            : content(file)
        seen[path.relative(this.folder, file)] =
          `${(stats.mode & 0o7777).toString(8)} ${stats.uid}:${stats.gid} ${kind}`
        if (stats.isDirectory()) walk(file)
      }
    }
    walk(this.folder)
    return seen
  }

  [Symbol.dispose](): void {
    fs.rmSync(this.folder, { recursive: true, force: true })
  }
}

function content(file: string): string {
  if (!fs.lstatSync(file).isFile()) return 'special'
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex')
}

function startOf(pid: number): string {
  const text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
