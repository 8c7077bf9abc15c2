// Starts the hub's program so that it outlives us: no parent, session, process group or descriptor in common with the client.
import { spawn, type StdioOptions } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { inheritable } from '#system/descriptors.ts'
import { OF_ONE_START, TORYO_HOME, TORYO_STARTED_BELOW } from '#system/environment-names.ts'
import { marksAbove } from './ancestry.ts'
import { type Env, postgresPassword, type Target } from './locate.ts'

export type HubProcess = {
  readonly pid: () => number | undefined
  /** Its exit code, 128 + signal, or undefined when that cannot be known. */
  readonly ended: () => { code: number | undefined } | undefined
  /** Stops watching it; it lives on. */
  release(): void
}

/**
 * The first shell ends at once, so that the second, the watcher, is not our child. The watcher reports the hub's pid and
 * how it ended, until we end the watcher. stderr is the log file for all three. POSIX shells close no descriptors beyond 9
 * by number; streams() sees to those.
 */
const SCRIPT = `exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
{ "$@" </dev/null >&2 & hub=$!; echo "hub $hub"; wait "$hub"; echo "ended $?"; } &
echo "watcher $!"`

export function startHubProcess(program: string, target: Target, log: number, given: Env): HubProcess {
  const command = [process.execPath, ...keptCode(program), program, '--db', target.shownDb, '--background']
  const env = environment(target, given)
  if (process.platform === 'win32') return startOnWindows(command, env, target.home, log)

  const reports = new Map<string, number>()
  let ended: { code: number | undefined } | undefined
  let text = ''
  const nothing = fs.openSync('/dev/null', 'r+')
  const stdio = streams(log, nothing)
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'toryo', ...command], { cwd: target.home, env, detached: true, stdio })
  fs.closeSync(nothing)
  child.on('error', () => (ended ??= { code: undefined }))
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    for (const [, what, number] of text.matchAll(/^(\w+) (\d+)$/gm)) reports.set(what as string, Number(number))
    const code = reports.get('ended')
    if (code !== undefined) ended ??= { code }
  })
  // The watcher holds the other end: without it no more news can come.
  child.stdout?.on('end', () => (ended ??= { code: undefined }))
  child.unref()
  return {
    pid: () => reports.get('hub'),
    ended: () => ended,
    release() {
      const watcher = reports.get('watcher')
      // While its end of the pipe is open the watcher lives, so this number is its own.
      if (!ended && watcher !== undefined) kill(watcher)
      child.stdout?.destroy()
    },
  }
}

/** The hub is what takes longest to compile. No bin beside it: a hub of a test, or files that were copied by hand. */
function keptCode(program: string): string[] {
  const file = path.join(path.dirname(program), '..', 'bin', 'compile-cache.cjs')
  return fs.existsSync(file) ? ['--require', file] : []
}

function startOnWindows([node, ...args]: string[], env: NodeJS.ProcessEnv, cwd: string, log: number): HubProcess {
  let ended: { code: number | undefined } | undefined
  const options = { cwd, env, detached: true, windowsHide: true, stdio: ['ignore', log, log] satisfies StdioOptions }
  const child = spawn(node as string, args, options)
  child.on('error', () => (ended ??= { code: undefined }))
  child.on('exit', code => (ended ??= { code: code ?? undefined }))
  child.unref()
  return { pid: () => child.pid, ended: () => ended, release() {} }
}

/** Node passes on what our own parent let us inherit; a hub must not keep a stranger's pipe or terminal open. */
function streams(log: number, nothing: number): StdioOptions {
  const stdio: (number | 'ignore' | 'pipe')[] = ['ignore', 'pipe', log]
  const leaked = inheritable()
  for (let fd = 3; fd <= Math.max(...leaked); fd++) stdio[fd] = leaked.includes(fd) ? nothing : 'ignore'
  return stdio
}

/** A hub serves all clients: it must inherit nothing from the run, tab or debugger that happens to start it. */
export function hubEnvironment(given: Env = process.env): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...given }
  for (const name of [
    ...OF_ONE_START,
    'NODE_CHANNEL_FD',
    'NODE_CHANNEL_SERIALIZATION_MODE',
    'NODE_UNIQUE_ID',
    'NODE_DEBUG',
    'NODE_OPTIONS',
  ])
    delete env[name]
  // It inherits nothing from us, but must still serve us if we run in a tab or run of another hub.
  const marks = marksAbove(given)
  if (marks.length > 0) env[TORYO_STARTED_BELOW] = marks.join(',')
  else delete env[TORYO_STARTED_BELOW]
  return env
}

function environment(target: Target, given: Env): NodeJS.ProcessEnv {
  const password = postgresPassword(target)
  // argv can be read by every user of the machine, the environment only by this one.
  const own = { [TORYO_HOME]: target.home, ...(password === undefined ? {} : { PGPASSWORD: password }) }
  return { ...hubEnvironment(given), ...own }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}
