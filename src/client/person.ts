// What the person at this terminal is called: by the configuration, else by git, else by the operating system. Read from files, as
// `git config --global` does, since starting git would cost more than the rest of a command.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { personIn } from '#contract/person.ts'
import { type Env, toryoHome, userHome } from './locate.ts'

export type Person = { readonly name: string; readonly source: 'config' | 'git' | 'system' }

export async function findPerson(env: Env): Promise<Person | undefined> {
  const found =
    named('config', await configured(path.join(toryoHome(env), 'config.json'))) ??
    named('git', fromGit(env)) ??
    named('system', fromSystem())
  return found
}

function named(source: Person['source'], text: string | undefined): Person | undefined {
  const name = text === undefined ? undefined : personIn(text)
  return name === undefined ? undefined : { name, source }
}

/** Not checked as a whole: a mistake elsewhere in the file is the hub's to report. */
async function configured(file: string): Promise<string | undefined> {
  const text = read(file)
  if (!text?.includes('"name"')) return undefined
  const { parse } = await import('jsonc-parser')
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true })
  const name = (value as { name?: unknown } | undefined)?.name
  return typeof name === 'string' ? name : undefined
}

/** The last file that has one wins, and of several in a file the last. */
function fromGit(env: Env): string | undefined {
  const home = userHome(env)
  const chosen = env['GIT_CONFIG_GLOBAL']
  const xdg = path.join(env['XDG_CONFIG_HOME'] || path.join(home, '.config'), 'git', 'config')
  const files = chosen === undefined ? [xdg, path.join(home, '.gitconfig')] : [chosen]
  return files.flatMap(file => userName(read(file) ?? '') ?? []).at(-1)
}

/** `user.name` in a file of git's. Includes are not followed, as git does not for a single file. */
export function userName(text: string): string | undefined {
  let section = ''
  let name: string | undefined
  for (const line of text.replaceAll(/\\\r?\n/g, '').split(/\r?\n/)) {
    const [, header, rest = line] = /^\s*\[\s*([^\]]*?)\s*\](.*)$/.exec(line) ?? []
    if (header !== undefined) section = header.toLowerCase()
    const value = section === 'user' ? /^\s*name\s*=(.*)$/i.exec(rest)?.[1] : undefined
    if (value !== undefined) name = unquoted(value)
  }
  return name
}

function unquoted(value: string): string {
  let text = ''
  let quoted = false
  const characters = value.trim().matchAll(/\\(.)|(["#;])|([^\\"#;]+)/g)
  for (const [, escaped, mark, plain] of characters) {
    if (mark === '"') quoted = !quoted
    else if (mark !== undefined && !quoted) break
    else text += plain ?? mark ?? (escaped === 'n' || escaped === 't' ? ' ' : escaped)
  }
  return text.trim()
}

function fromSystem(): string | undefined {
  try {
    return os.userInfo().username
  } catch {
    // No entry for this user, as in some containers.
    return undefined
  }
}

/** Nobody's configuration is so long. */
const LONGEST = 1024 * 1024

function read(file: string): string | undefined {
  try {
    return fs.statSync(file).size > LONGEST ? undefined : fs.readFileSync(file, 'utf8')
  } catch {
    // Missing or unreadable: the next source is asked.
    return undefined
  }
}
