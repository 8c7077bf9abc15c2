// The scripts themselves, in a small tree of their own: what they build, when, and what a running program sees of it.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let root: string

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'toryo-build-'))
  for (const name of ['bin', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json']) {
    cpSync(name, path.join(root, name), { recursive: true })
  }
  symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'))
  write('src/cli/main.ts', "export const main = async (args: string[]) => (await import('./run.ts')).run(args)")
  write('src/cli/run.ts', "export const run = (args: string[]) => (console.log('first', ...args), 4)")
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

test('builds the programs that there are, and says which are not', () => {
  const { stdout, status } = node('scripts/build.js')
  expect(status).toBe(0)
  expect(stdout).toContain('src/hub/main.ts does not exist yet, so there is no dist/hub.js')
  expect(stdout).toMatch(/cli\.js 1 kB/)
  expect(existsSync(path.join(root, 'dist', 'hub.js'))).toBe(false)
  expect(readdirSync(path.join(root, '.cache'))).toEqual([])
})

test('the program hands on its arguments and ends with the exit code of main()', () => {
  node('scripts/build.js')
  expect(node('bin/toryo.js', 'task', 'list')).toMatchObject({ stdout: 'first task list\n', status: 4 })
  write('src/bridge/main.ts', 'export const main = async (args: string[]) => void console.log(args.join())')
  node('scripts/build.js')
  expect(node('bin/toryo.js', 'mcp', '--db', 'x')).toMatchObject({ stdout: '--db,x\n', status: 0 })
  expect(node('bin/toryo.js', 'mcp', '--help')).toMatchObject({ stdout: 'first mcp --help\n', status: 4 })
  expect(node('bin/mcp-server-pm.js', '--db', 'x').stdout).toBe('--toolsets,runner,agent,projects,legacy,--db,x\n')
})

test('signs beyond ASCII mean the same in a built program, in texts and in regular expressions', () => {
  write(
    'src/bridge/main.ts',
    "export const main = async (args: string[]) => void console.log(/^❯棟/u.test(args.join('')), '棟梁', args.join())",
  )
  node('scripts/build.js')
  expect(node('bin/toryo.js', 'mcp', '❯棟').stdout).toBe('true 棟梁 ❯棟\n')
})

test('a program that is not built says how to build it', () => {
  expect(node('bin/toryo.js', 'status')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^toryo is not built yet; run .*\n$/),
  })
})

test('a failed build leaves the one before as it was', () => {
  node('scripts/build.js')
  write('src/cli/run.ts', 'export const run = (')
  const { stderr, status } = node('scripts/build.js')
  expect(status).toBe(1)
  expect(stderr).toContain('src/cli/run.ts:1')
  expect(node('bin/toryo.js').stdout).toBe('first\n')
})

test('what a running program may yet load stays for one build more', () => {
  node('scripts/build.js')
  const first = chunks()
  write('src/cli/run.ts', "export const run = () => console.log('second')")
  node('scripts/build.js')
  const second = chunks()
  expect(first.every(file => existsSync(path.join(root, 'dist', file)))).toBe(true)
  expect(second).not.toEqual(first)
  expect(node('bin/toryo.js').stdout).toBe('second\n')

  node('scripts/build.js', '--clean')
  expect(first.some(file => existsSync(path.join(root, 'dist', file)))).toBe(false)
  expect(node('bin/toryo.js').stdout).toBe('second\n')
})

test('names the libraries that are inside, with their licences, and no other', () => {
  write('src/cli/run.ts', "import { Command } from 'commander'\nexport const run = () => console.log(typeof Command)")
  node('scripts/build.js')
  const text = readFileSync(path.join(root, 'dist', 'THIRD_PARTY_LICENSES.txt'), 'utf8')
  expect(text).toMatch(/^commander \d+\.\d+\.\d+ \(MIT\)\n\n\(The MIT License\)/m)
  expect(text).toContain('Permission is hereby granted')
  expect(text).not.toContain('zod')
})

test('CommonJS libraries inside a program still find the modules of node', () => {
  write(
    'src/cli/run.ts',
    "import pg from 'pg'\nimport { WebSocket } from 'ws'\nexport const run = () => console.log(typeof pg.Pool, typeof WebSocket)",
  )
  node('scripts/build.js')
  expect(node('bin/toryo.js')).toMatchObject({ stdout: 'function function\n', stderr: '' })
})

test('npm start builds what is missing, is silent the second time, and builds again when a source differs', () => {
  const started = node('scripts/start.js', '--port', '1')
  expect(started).toMatchObject({ stdout: 'first up --port 1\n', status: 4 })
  expect(started.stderr).toContain('Building …')
  expect(node('scripts/start.js')).toMatchObject({ stdout: 'first up\n', stderr: '' })

  utimesSync(path.join(root, 'src/cli/run.ts'), new Date(), new Date())
  write('src/cli/run.test.ts', '')
  expect(node('scripts/start.js').stderr).toBe('')

  write('src/cli/run.ts', "export const run = () => console.log('second')")
  const again = node('scripts/start.js')
  expect(again.stderr).toContain('Building …')
  expect(again.stdout).toBe('second\n')
})

test('never installs through a link into a folder that is not ours', () => {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  lock.packages['node_modules/zod'].version = '0.0.1'
  write('package-lock.json', JSON.stringify(lock))
  const { stderr, status } = node('scripts/start.js')
  expect(stderr).toMatch(/^node_modules is a link to .*, which was installed from another package-lock\.json\.\n$/)
  expect(status).toBe(1)
  expect(existsSync('node_modules/zod/package.json')).toBe(true)
})

test.each(['bin/toryo.js', 'bin/mcp-server-pm.js', 'scripts/start.js', 'scripts/test.js', 'scripts/build.js'])(
  '%s says in one line that Node is too old',
  file => {
    write('old.cjs', "Object.defineProperty(process.versions, 'node', { value: '20.18.3' })")
    const { stdout, stderr, status } = node('--require', './old.cjs', file)
    expect(stderr).toMatch(/^toryo needs Node\.js 20\.19 or newer; this is .*\.\n$/)
    expect({ stdout, status }).toEqual({ stdout: '', status: 1 })
  },
)

function node(...args: string[]) {
  // As from a shell: no colours, and no npm around it.
  const env = { PATH: process.env['PATH'], HOME: root, NO_COLOR: '1' }
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env, input: '' })
}

function chunks(): string[] {
  const { files } = JSON.parse(readFileSync(path.join(root, 'dist', '.built'), 'utf8'))
  return files.filter((file: string) => file.startsWith('chunks') && file.endsWith('.js'))
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), text)
}
