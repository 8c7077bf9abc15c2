// A database in a folder where every user of the machine may put files, such as the one for temporary files. Run by one user, with
// traps laid by another; only root can play both.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DIST } from '../../scripts/sources.js'
import { build } from '../processes.ts'
import { until } from '../until.ts'

const OWNER = 65533
const STRANGER = 65534
const isRoot = process.getuid?.() === 0

let folder = ''
let programs = ''
beforeAll(() => {
  build()
  // Where that user can read them, whatever user owns the checkout.
  programs = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-programs-'))
  fs.cpSync(path.dirname(DIST), programs, { recursive: true, filter: from => wanted(from) })
  fs.chmodSync(programs, 0o755)
})
afterAll(() => fs.rmSync(programs, { recursive: true, force: true }))
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-shared-'))
  fs.chmodSync(folder, 0o755)
  fs.mkdirSync(path.join(folder, 'shared'))
  fs.chmodSync(path.join(folder, 'shared'), 0o1777)
  fs.mkdirSync(path.join(folder, 'user'), { mode: 0o700 })
  fs.chownSync(path.join(folder, 'user'), OWNER, OWNER)
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

/** Of the package only what runs. */
function wanted(from: string): boolean {
  const [first, second] = path.relative(path.dirname(DIST), from).split(path.sep)
  if (first === 'node_modules')
    return second === undefined || second === '@photostructure' || second === 'node-gyp-build'
  return first === '' || first === 'package.json' || first === path.basename(DIST)
}

const db = () => path.join(folder, 'shared', 'x.db')

function hub(...more: string[]) {
  const program = path.join(programs, path.basename(DIST), 'hub.js')
  const user = path.join(folder, 'user')
  const child = spawn(process.execPath, [program, '--db', db(), '--background', ...more], {
    uid: OWNER,
    gid: OWNER,
    cwd: user,
    env: { HOME: user, TORYO_HOME: path.join(user, 'toryo'), PATH: process.env['PATH'], LANG: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', text => (stderr += text))
  const ended = new Promise<{ code: number | null; stderr: string }>(resolve =>
    child.on('close', code => resolve({ code, stderr })),
  )
  return { child, ended }
}

type Ended = { code: number | null; stderr: string }

/** How it ended, or that it serves: whichever comes first. */
async function tryHub(look = () => {}): Promise<Ended | 'serves'> {
  const { child, ended } = hub()
  let over: Ended | undefined
  void ended.then(result => (over = result))
  const serves = () => pidIn(`${db()}.hub.json`) === child.pid
  await until(() => over !== undefined || serves())
  if (over) return over
  look()
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0 })
  return 'serves'
}

function pidIn(file: string): number | undefined {
  try {
    return (JSON.parse(fs.readFileSync(file, 'utf8')) as { pid: number }).pid
  } catch {
    return undefined // Not there yet, or no state.
  }
}

async function runOnce(look?: () => void): Promise<void> {
  expect(await tryHub(look)).toBe('serves')
}

async function refusal(): Promise<Ended> {
  const tried = await tryHub()
  if (tried === 'serves') throw new Error('the hub started')
  return tried
}

const besides = [
  '-wal',
  '-shm',
  '-journal',
  '.lock',
  '.lock-journal',
  '.lock-wal',
  '.lock-shm',
  '.hub.json',
  '.new',
  '.new-wal',
  '.whole',
]

describe.runIf(isRoot)('in a folder that all may write to', () => {
  test('the hub works, and holds the names of all files that SQLite looks for', async () => {
    const allOurs = () => {
      for (const suffix of ['', '-wal', '-shm', '-journal', '.lock', '.lock-journal'])
        expect([suffix, fs.lstatSync(db() + suffix).uid]).toEqual([suffix, OWNER])
    }
    await runOnce(allOurs)
    await runOnce(allOurs)
  })

  test.each(besides)('a file %s of another user is refused by name, with what to do', async suffix => {
    await runOnce()
    const file = db() + suffix
    fs.rmSync(file, { force: true })
    fs.writeFileSync(file, 'laid by somebody else')
    fs.chmodSync(file, 0o666)
    fs.chownSync(file, STRANGER, STRANGER)
    const before = fs.readFileSync(db())
    const { code, stderr } = await refusal()
    expect([code, stderr]).toEqual([1, expect.stringContaining(file)])
    expect(stderr).toContain(`belongs to user ${STRANGER}`)
    expect(stderr).toMatch(/remove it|choose another/i)
    expect(fs.readFileSync(db())).toEqual(before)
    expect(fs.readFileSync(file, 'utf8')).toBe('laid by somebody else')
  })

  test.each(['-wal', '-shm', '-journal', '.lock'])('a link at %s to a file of the user is refused', async suffix => {
    await runOnce()
    const precious = path.join(folder, 'user', 'precious')
    fs.writeFileSync(precious, 'mine')
    fs.chownSync(precious, OWNER, OWNER)
    for (const make of [fs.symlinkSync, fs.linkSync]) {
      fs.rmSync(db() + suffix, { force: true })
      make(precious, db() + suffix)
      const { code, stderr } = await refusal()
      expect([make.name, code, stderr]).toEqual([
        make.name,
        1,
        expect.stringMatching(/symbolic link|more than one name/),
      ])
      expect(stderr).toContain(db() + suffix)
      expect(fs.readFileSync(precious, 'utf8')).toBe('mine')
    }
  })

  test('a file that others may write to is refused, and so is a folder in its place', async () => {
    await runOnce()
    fs.chmodSync(db(), 0o666)
    expect((await refusal()).stderr).toMatch(/others may write to it.*chmod go-w/)
    fs.chmodSync(db(), 0o600)
    fs.rmSync(`${db()}-wal`, { force: true })
    fs.mkdirSync(`${db()}-wal`)
    fs.chownSync(`${db()}-wal`, OWNER, OWNER)
    expect((await refusal()).stderr).toMatch(/not a regular file/)
  })

  test('a home that others may write to is none, however sticky it is', async () => {
    const home = path.join(folder, 'shared')
    const program = path.join(programs, path.basename(DIST), 'hub.js')
    const child = spawn(process.execPath, [program, '--background'], {
      uid: OWNER,
      gid: OWNER,
      cwd: folder,
      env: { HOME: path.join(folder, 'user'), TORYO_HOME: home, PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', text => (stderr += text))
    expect(await new Promise(resolve => child.on('close', resolve))).toBe(1)
    expect(stderr).toContain(home)
    expect(fs.readdirSync(home)).toEqual([])
  })
})
