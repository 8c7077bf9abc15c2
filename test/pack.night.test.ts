// What people install: the packed package, in a folder that has nothing else, with every install script refused.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from './until.ts'

const execute = promisify(execFile)
const root = path.resolve(import.meta.dirname, '..')
const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))

let home: string
let packed: string[]
let tarballName: string

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'toryo-pack-'))
  // Without prepack: dist/ is in use by other tests.
  const { stdout } = await npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', home)
  const [tarball] = Object.values<{ filename: string; files: { path: string }[] }>(JSON.parse(stdout))
  if (tarball === undefined) throw new Error(`npm pack named no file: ${stdout}`)
  tarballName = tarball.filename
  packed = tarball.files.map(file => file.path)
  await writeFile(path.join(home, 'package.json'), '{ "private": true }')
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--omit=dev']
  await npm(home, 'install', ...flags, path.join(home, tarball.filename))
})

afterAll(async () => {
  await rm(home, { recursive: true, force: true })
})

test('holds the programs, the licences and the guide, and no source', () => {
  const wanted = ['package.json', 'LICENSE', 'bin/toryo.js', 'bin/mcp-server-pm.js', 'dist/THIRD_PARTY_LICENSES.txt']
  const documents = ['README.md', 'CHANGELOG.md'].filter(name => existsSync(path.join(root, name)))
  expect(packed).toEqual(expect.arrayContaining([...wanted, ...documents]))
  expect(
    packed.filter(file => !/^(bin|dist|docs\/guide)\/|^(package\.json|LICENSE|README.*\.md|CHANGELOG\.md)$/.test(file)),
  ).toEqual([])
})

test('holds everything of dist that its programs load', async () => {
  const built = JSON.parse(await readFile(path.join(root, 'dist', '.built'), 'utf8'))
  expect(packed).toEqual(expect.arrayContaining(built.files.map((file: string) => `dist/${file}`)))
  expect(packed.filter(file => file.startsWith('dist/compiled/'))).toEqual([])
})

test('takes at most 80 MB with its dependencies', async () => {
  expect(await sizeOf(path.join(home, 'node_modules'))).toBeLessThanOrEqual(80_000_000)
})

test('answers --version, and SQLite works although its install script was refused', async () => {
  const program = path.join(home, 'node_modules', '.bin', 'toryo')
  expect((await execute(process.execPath, [program, '--version'], { cwd: home })).stdout).toBe(`${version}\n`)
  // Through the link, as a shell starts it.
  expect((await execute(program, ['--version'], { cwd: home })).stdout).toBe(`${version}\n`)

  const lock = JSON.parse(await readFile(path.join(home, 'node_modules', '.package-lock.json'), 'utf8'))
  const wanting = Object.entries<{ hasInstallScript?: boolean }>(lock.packages).filter(
    ([, about]) => about.hasInstallScript,
  )
  expect(wanting.map(([where]) => where)).toEqual(['node_modules/@photostructure/sqlite'])
  const source = `
    import { DatabaseSync } from '@photostructure/sqlite'
    console.log(new DatabaseSync(':memory:').prepare("select '棟梁' as name").get().name)
  `
  const answer = await execute(process.execPath, ['--input-type=module', '--eval', source], { cwd: home })
  expect(answer.stdout).toBe('棟梁\n')
})

// npm unpacks and links the package first.
test('shows the demo straight from the tarball, as the README says', { timeout: 240_000 }, async () => {
  expect(await readFile(path.join(root, 'README.md'), 'utf8')).toContain(`npx ./${tarballName} up --demo\n`)
  const env = { ...surroundings(), TMPDIR: home, LANG: 'C', npm_config_prefer_offline: 'true', npm_config_yes: 'true' }
  // A group of its own: Ctrl-C reaches npx and what it started, as in a terminal.
  const npx = spawn('npx', [`./${tarballName}`, 'up', '--demo', '--no-open'], { cwd: home, env, detached: true })
  let said = ''
  for (const stream of [npx.stdout, npx.stderr]) stream.setEncoding('utf8').on('data', text => (said += text))
  const ended = once(npx, 'close')
  await until(() => said.includes(`Toryo ${version} demo on http://127.0.0.1:`))
  process.kill(-(npx.pid as number), 'SIGINT')
  await ended
  await until(() => said.includes('The demo has ended and is deleted.'))
})

function npm(cwd: string, ...args: string[]) {
  return execute('npm', [...args, '--loglevel=error'], { cwd, env: surroundings(), maxBuffer: 10_000_000 })
}

/** npm passes the project that it runs in to its children; this one works elsewhere. */
function surroundings(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_(package|lifecycle|config_local_prefix)/.test(name),
  )
  return Object.fromEntries(inherited)
}

/** Of the files' contents, which does not depend on the file system. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name))
  const sizes = await Promise.all(files.map(async file => (await stat(file)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
