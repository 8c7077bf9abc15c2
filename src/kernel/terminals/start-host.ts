// Starts a pty-host so that it outlives us: no session or environment in common with the hub, and no descriptor but one end of
// the channel over which viewers are handed to it.
import fs from 'node:fs'
import path from 'node:path'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Channel, launchAt } from '#kernel/processes/launch.ts'
import { HOST_LOG, type HostFiles, type HostState } from './host-files.ts'
import { TerminalError } from './terminals.ts'

const POLL_MS = 5
const PATIENCE_MS = 30_000
const LOG_BYTES = 1024 * 1024

export type StartHost = { files: HostFiles; release: string; program?: string; args?: readonly string[] }

export async function startHost({
  files,
  release,
  program = ownProgram(),
  args = [],
}: StartHost): Promise<{ state: HostState; channel: Channel | undefined }> {
  if (process.platform === 'win32')
    throw new TerminalError('no-host', 'terminals need Linux, macOS or WSL; on Windows itself there are none yet')
  const marker = randomBytes(16).toString('hex')
  const log = openLog(path.join(files.folder, HOST_LOG))
  try {
    const child = await launchAt(
      { file: log, channel: true },
      {
        program: process.execPath,
        args: [program, '--folder', files.folder, '--release', release, ...args],
        cwd: files.folder,
        env: {},
        marker,
        umask: 0o077,
      },
    )
    child.unref()
    let ended = false
    void child.exited.then(() => (ended = true))
    const deadline = performance.now() + PATIENCE_MS
    for (;;) {
      const state = files.state()
      if (state?.record.marker === marker) return { state, channel: child.channel }
      if (ended || performance.now() > deadline)
        throw new TerminalError('no-host', `the pty-host did not start: ${lastWords(files)}`)
      await sleep(POLL_MS)
    }
  } finally {
    fs.closeSync(log)
  }
}

/** dist/pty-host.js beside dist/hub.js; seen from the sources, the one that was built from them. */
function ownProgram(): string {
  const beside = fileURLToPath(new URL('./pty-host.js', import.meta.url))
  return fs.existsSync(beside) ? beside : fileURLToPath(new URL('../../../dist/pty-host.js', import.meta.url))
}

function openLog(file: string): number {
  const { O_WRONLY, O_CREAT, O_APPEND, O_TRUNC, O_NOFOLLOW } = fs.constants
  const long = (fs.lstatSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES
  return fs.openSync(file, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | (long ? O_TRUNC : 0), 0o600)
}

function lastWords(files: HostFiles): string {
  const text = fs.readFileSync(path.join(files.folder, HOST_LOG), 'utf8').trim()
  return text.slice(-1000) || 'it said nothing'
}
