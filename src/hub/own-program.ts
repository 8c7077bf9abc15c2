// What a person types to call this program again. It is told where commands are printed that are to be run as they stand.
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram } from '#engines/find-program.ts'

/** The folder of the package: this code is in dist/ or src/hub/ of it. */
const ROOT = fileURLToPath(new URL(import.meta.url.includes('/src/hub/') ? '../..' : '..', import.meta.url))

export function ownProgram(env: Readonly<NodeJS.ProcessEnv>, root = ROOT.replace(/[/\\]$/, '')): string {
  // npx puts the folder of its own links first, which no other terminal has.
  const folders = (env['PATH'] ?? '').split(delimiter).filter(folder => !/node_modules[/\\]\.bin[/\\]?$/.test(folder))
  if (findProgram(['toryo'], { ...env, PATH: folders.join(delimiter) }) !== undefined) return 'toryo'
  const cache = /^(.*[/\\]_npx[/\\][^/\\]+)[/\\]node_modules[/\\]/.exec(root)?.[1]
  if (cache !== undefined) return `npx ${archiveOf(cache) ?? 'toryo'}`
  if (/[/\\]node_modules[/\\]toryo$/.test(root)) return 'npx toryo'
  return `node ${inShell(join(root, 'bin', 'toryo.js'))}`
}

/** Of a program that npx took from a file: that file. */
function archiveOf(cache: string): string | undefined {
  const file = join(cache, 'package.json')
  if (!existsSync(file)) return undefined
  const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: { toryo?: string } }
  const archive = /^file:(.+)$/.exec(dependencies?.toryo ?? '')?.[1]
  if (archive === undefined) return undefined
  const path = resolve(cache, archive)
  return existsSync(path) ? inShell(path) : undefined
}

export type CalledAs = { program: string; db: string }

/** A command that is printed as `toryo …`, as it can be run for a database that is not the usual one. */
export function asRun(command: string, { program, db }: CalledAs): string {
  return `${command.replace(/^toryo(?= )/, () => program)} --db ${inShell(db)}`
}

/** The same for those in a sentence. */
export function withCommandsAsRun(text: string, called: CalledAs): string {
  return text.replaceAll(/`(toryo [^`]+)`/g, (_, command: string) => `\`${asRun(command, called)}\``)
}

function inShell(text: string): string {
  return /^[\w./\\:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
