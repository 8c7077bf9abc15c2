import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { fakeIo } from '#test/fake-io.ts'
import { build, HEAVY } from '#test/processes.ts'
import { Toryo } from '#test/toryo.ts'
import { createProgram } from '../program.ts'
import { completionScript, SHELLS } from './script.ts'

let scripts: Record<(typeof SHELLS)[number], string>

beforeAll(async () => {
  const program = createProgram({ io: fakeIo(), args: [], version: '1', quiet: true, run: async () => {} })
  const root = await program.loadAll()
  scripts = Object.fromEntries(SHELLS.map(shell => [shell, completionScript(shell, root)])) as typeof scripts
})

/** What bash would offer for the last word. */
function offered(
  words: readonly string[],
  env: NodeJS.ProcessEnv = { PATH: '/usr/bin:/bin' },
  cwd = import.meta.dirname,
): string[] {
  const line = ['toryo', ...words].map(word => `'${word}'`).join(' ')
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _toryo; printf '%s\\n' "\${COMPREPLY[@]}"`
  const output = execFileSync('bash', ['--norc', '-c', `${scripts.bash}\n${ask}`], {
    encoding: 'utf8',
    cwd,
    env,
  })
  return output.split('\n').filter(Boolean)
}

test('offers what the hub knows where a task, a project or an agent is meant, at its own place', HEAVY, async () => {
  build()
  await using toryo = new Toryo()
  const shop = path.join(toryo.folder, 'shop')
  fs.mkdirSync(shop)
  execFileSync('git', ['init', '-q', '-b', 'main', shop])
  const ask = (...words: string[]) => offered(words, { ...toryo.env(), PATH: `${BIN}:${process.env['PATH']}` }, shop)
  const program = path.resolve(import.meta.dirname, '../../../bin/toryo.js')
  const BIN = path.join(toryo.folder, 'bin')
  fs.mkdirSync(BIN)
  fs.writeFileSync(path.join(BIN, 'toryo'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
    mode: 0o755,
  })

  // Nothing, and no hub, before there is one.
  expect(ask('task', 'show', '')).toEqual([])
  expect(fs.existsSync(toryo.db)).toBe(false)
  await toryo.json('project', 'add', 'shop', '--dir', shop)
  await toryo.json('project', 'add', 'Mill $(touch evil)', '--id', 'mill')
  await toryo.json('agent', 'add', 'Aoi', '--engine', 'claude')
  await toryo.json('agent', 'add', '$(touch evil)', '--engine', 'claude', '--id', 'agt_evil')
  await toryo.json('task', 'add', 'Log in', 'Pay', '--project', 'shop')

  expect(ask('task', 'show', '').sort()).toEqual(['shop-1', 'shop-2'])
  expect(ask('task', 'show', 'shop-2')).toEqual(['shop-2'])
  expect(ask('task', 'move', 'shop-1', 'd')).toEqual(['done'])
  expect(ask('task', 'move', '--db', toryo.db, 'shop-1', 'd')).toEqual(['done'])
  expect(ask('task', 'list', '--project', '').sort()).toEqual(['mill', 'shop'])
  expect(ask('task', 'assign', 'shop-1', '').sort()).toEqual(['Aoi', 'agt_evil'])
  expect(ask('agent', 'add', 'x', '--engine', 'cl')).toEqual(['claude'])
  expect(fs.readdirSync(shop)).not.toContain('evil')
  // With what it is, where a shell shows that.
  const { out } = await toryo.run(['completion', 'fish', '--names', 'task'])
  expect(out).toContain('shop-1\tLog in\n')
  await toryo.run(['stop'])
  expect(ask('task', 'show', '')).toEqual([])
  expect(await toryo.run(['completion', 'bash', '--names', 'task'])).toEqual({ code: 0, out: '', err: '' })
})

test('is a script that bash can read', () => {
  execFileSync('bash', ['-n'], { input: scripts.bash })
})

test('offers commands, then theirs', () => {
  expect(offered([''])).toEqual(expect.arrayContaining(['up', 'status', 'project', 'task', 'completion']))
  expect(offered(['st'])).toEqual(['status', 'stop'])
  expect(offered(['task', ''])).toEqual(expect.arrayContaining(['add', 'list', 'show', 'move', 'assign', 'review']))
  expect(offered(['--json', 'task', 'm'])).toEqual(['move', 'merge'])
})

test('offers the options of a command with those of all', () => {
  expect(offered(['task', 'add', '--'])).toEqual(
    expect.arrayContaining(['--project', '--priority', '--status', '--db', '--json', '--help']),
  )
  expect(offered(['status', '--to'])).toEqual(['--token-file'])
  expect(offered(['project', 'list', '--pri'])).toEqual([])
})

test('offers the values that an option or argument can have', () => {
  expect(offered(['task', 'list', '--status', 'b'])).toEqual(['backlog', 'blocked'])
  expect(offered(['task', 'move', 'tsk_1', 'd'])).toEqual(['done'])
  expect(offered(['completion', ''])).toEqual(['bash', 'zsh', 'fish'])
  expect(offered(['task', 'add', '--project', ''])).toEqual([])
})

test('offers files where a file is meant', () => {
  expect(offered(['restore', 'script.'])).toHaveLength(2)
  expect(offered(['--db', 'bas'])).toEqual(['bash.ts'])
  expect(offered(['project', 'add', '--dir', 'scr'])).toEqual([])
})

test('holds every command and option for zsh and fish, with nothing left unquoted', () => {
  for (const word of ['project', 'unassign', 'rotate', 'token-file', 'system-prompt', 'in_progress']) {
    expect(scripts.zsh).toContain(word)
    expect(scripts.fish).toContain(word)
  }
  // Apart from zsh's own words these read like sh: quotes and braces that do not match are found.
  execFileSync('bash', ['-n'], { input: scripts.zsh })
  for (const line of scripts.fish.split('\n').filter(line => line.startsWith('complete')))
    expect(line.replaceAll(/'[^']*'|\\'/g, '')).not.toContain("'")
})

const installed = (shell: string) => spawnSync(shell, ['--version']).status === 0

test.runIf(installed('zsh'))('is a script that zsh can read', () => {
  execFileSync('zsh', ['-n'], { input: scripts.zsh })
})

test.runIf(installed('fish'))('offers the same in fish', () => {
  const ask = (line: string) => {
    const program = `source (echo $argv[1] | psub); complete -C $argv[2]`
    const output = execFileSync('fish', ['--no-config', '-c', program, '--', scripts.fish, line], { encoding: 'utf8' })
    return output.split('\n').flatMap(row => row.split('\t')[0] || [])
  }
  expect(ask('toryo st')).toEqual(['status', 'stop'])
  expect(ask('toryo --json task m')).toEqual(['merge', 'move'])
  expect(ask('toryo task list --status b')).toEqual(['backlog', 'blocked'])
  expect(ask('toryo task move x d')).toEqual(['done'])
  expect(ask('toryo task add --pr')).toEqual(['--priority', '--project'])
  expect(ask('toryo task add --project ')).toEqual([])
  expect(ask('toryo --db /etc/passw')).toContain('/etc/passwd')
})
