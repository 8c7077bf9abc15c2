// Opens an address in the person's browser. The address may hold a secret, and every user of the machine can read command lines: so the
// browser is given a private file that leads there.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { makePrivateFolder, writeNew } from './files.ts'

/** What leads to a link that has expired is of no use any more. */
const LIFE_MS = 10 * 60_000

/**
 * False when there is no desktop to open it on; that a browser opened is not waited for.
 * @param folder of this user alone
 */
export async function openBrowser(url: string, folder: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const program = openerOf(env)
  if (program === undefined) return false
  makePrivateFolder(folder)
  removeOld(folder)
  const file = path.join(folder, `${randomBytes(8).toString('hex')}.html`)
  writeNew(fs, file, pageThatLeadsTo(url), { mode: 0o600, sync: false })
  return new Promise(resolve => {
    const child = spawn(program, [file], { detached: true, stdio: 'ignore', env })
    child.once('error', () => resolve(false))
    child.once('spawn', () => resolve(true))
    child.unref()
  })
}

function openerOf(env: NodeJS.ProcessEnv): string | undefined {
  if (process.platform === 'darwin') return 'open'
  const hasDesktop = env['DISPLAY'] || env['WAYLAND_DISPLAY']
  return hasDesktop ? 'xdg-open' : undefined
}

function removeOld(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name)
    const { mtimeMs = 0 } = fs.statSync(file, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > LIFE_MS) fs.rmSync(file, { force: true })
  }
}

function pageThatLeadsTo(url: string): string {
  const address = url.replace(/[&"<>]/g, sign => `&#${sign.charCodeAt(0)};`)
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Toryo</title>
<a href="${address}">Toryo</a>
`
}
