// What the person at this terminal is called: by the configuration, else by git, else by the operating system. Read from files, as
// `git config --global` does, since starting git would cost more than the rest of a command.
import os from 'node:os'
import path from 'node:path'
import { personIn } from '#contract/person.ts'
import { configText, readSmall } from './config-value.ts'
import { type Env, toryoHome, userHome } from './locate.ts'

export type Person = { readonly name: string; readonly source: 'config' | 'git' | 'system' }

export function findPerson(env: Env): Person | undefined {
  return (
    named('config', configText(path.join(toryoHome(env), 'config.json'), 'name')) ??
    named('git', fromGit(env)) ??
    named('system', fromSystem())
  )
}

function named(source: Person['source'], text: string | undefined): Person | undefined {
  const name = text === undefined ? undefined : personIn(text)
  return name === undefined ? undefined : { name, source }
}

/** The last file that has one wins, and of several in a file the last. */
function fromGit(env: Env): string | undefined {
  const home = userHome(env)
  const chosen = env['GIT_CONFIG_GLOBAL']
  const xdg = path.join(env['XDG_CONFIG_HOME'] || path.join(home, '.config'), 'git', 'config')
  const files = chosen === undefined ? [xdg, path.join(home, '.gitconfig')] : [chosen]
  return files.flatMap(file => userName(readSmall(file) ?? '') ?? []).at(-1)
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
