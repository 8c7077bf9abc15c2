// With which program engines will start the bridge. The entry is as good as our code in another program's hands: only absolute
// real paths, and none that other users could change.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { Text } from '#contract/errors.ts'
import type { Env } from '#client/locate.ts'
import { findProgram } from '#engines/find-program.ts'
import { Unusable } from './format.ts'
import type { Command } from './targets.ts'

/** Older ones cannot run the bridge: their HTTP client does not pass on an upgraded connection. */
const BUN_FROM = [1, 4] as const
const VERSION_MS = 10_000

/** bun, else the node that runs us. Throws Unusable when the bridge must not be registered from where it is. */
export async function chooseCommand(bridge: string, env: Env): Promise<Command> {
  const real = realPath(bridge)
  if (real === undefined) throw refused(bridge, { en: 'it is missing', ja: 'ファイルがありません' })
  const danger = changeableBy(real)
  if (danger) throw refused(danger, { en: 'others may change it', ja: '他のユーザーが変更できます' })
  return { runtime: (await findBun(env)) ?? ownRuntime(), bridge: real }
}

async function findBun(env: Env): Promise<string | undefined> {
  const found = findProgram(['bun'], env)
  const real = found && realPath(found)
  if (real === undefined || changeableBy(real) || !isOurs(real)) return undefined
  return (await canRunBridge(real, env)) ? real : undefined
}

/** Not the one that PATH finds first: that may be any program. */
function ownRuntime(): string {
  const real = realPath(process.execPath) ?? process.execPath
  const danger = changeableBy(real)
  if (danger) throw refused(danger, { en: 'others may change it', ja: '他のユーザーが変更できます' })
  return real
}

function canRunBridge(bun: string, env: Env): Promise<boolean> {
  const options = { timeout: VERSION_MS, env: { PATH: env['PATH'] ?? '', HOME: env['HOME'] ?? '' }, windowsHide: true }
  return new Promise(resolve => {
    const child = execFile(bun, ['--version'], options, (problem, stdout) => {
      const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout) ?? [undefined, ...BUN_FROM.map(String)]
      const newer = Number(major) > BUN_FROM[0] || (Number(major) === BUN_FROM[0] && Number(minor) >= BUN_FROM[1])
      resolve(!problem && newer)
    })
    child.stdin?.end()
  })
}

/** The file, or the folder on the way to it, that other users may write to. */
function changeableBy(real: string): string | undefined {
  const uid = process.getuid?.()
  if (uid === undefined) return undefined
  for (let at = real; ; at = path.dirname(at)) {
    const stats = fs.statSync(at)
    const sticky = stats.isDirectory() && (stats.mode & 0o1000) !== 0
    // Where each user has a group of their own, new files are writable for that group.
    const shared = (stats.mode & 0o002) !== 0 || ((stats.mode & 0o020) !== 0 && stats.gid !== uid && stats.gid !== 0)
    if (shared && !sticky) return at
    if (path.dirname(at) === at) return undefined
  }
}

function isOurs(real: string): boolean {
  const uid = process.getuid?.()
  const owner = fs.statSync(real).uid
  return uid === undefined || owner === uid || owner === 0
}

export function realPath(file: string): string | undefined {
  try {
    return fs.realpathSync(file)
  } catch {
    return undefined // Not there, or not for us to see.
  }
}

function refused(file: string, why: Text): Unusable {
  return new Unusable({
    en: `nothing was registered, since ${file} cannot be trusted: ${why.en}`,
    ja: `${file} を信頼できないため登録していません: ${why.ja}`,
  })
}
