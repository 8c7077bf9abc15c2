// Your data is yours: backup, restore, export and import, and what they must never do to it.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { freshPostgres } from './postgres.ts'
import { ROOT } from '../scripts/sources.js'
import { BridgeClient } from './bridge/bridge-client.ts'
import { Toryo } from './toryo.ts'

const PROGRAM = path.join(ROOT, 'bin', 'toryo.js')

const hash = (file: string) => createHash('sha256').update(fs.readFileSync(file)).digest('hex')
const asideOf = (toryo: Toryo) =>
  fs
    .readdirSync(toryo.home)
    .filter(name => name.includes('.replaced-'))
    .sort()

async function projects(toryo: Toryo, ...args: string[]): Promise<string[]> {
  const { projects } = await toryo.json<{ projects: { project_id: string }[] }>('project', 'list', ...args)
  return projects.map(project => project.project_id).sort()
}

async function withBackup() {
  const toryo = new Toryo()
  const backup = path.join(toryo.folder, 'backup.db')
  await toryo.json('project', 'add', 'before', '--id', 'before')
  const written = await toryo.json('backup', backup)
  expect(written).toEqual({ file: backup, bytes: fs.statSync(backup).size })
  expect(fs.statSync(backup).mode & 0o777).toBe(0o600)
  await toryo.json('project', 'add', 'after', '--id', 'after')
  return { toryo, backup }
}

test('puts a backup back and keeps what was there', async () => {
  const { toryo: owned, backup } = await withBackup()
  await using toryo = owned
  await toryo.json('stop')
  const restored = await toryo.json<{ db: string; replaced: string }>('restore', backup)
  expect(restored).toMatchObject({
    db: toryo.db,
    restored_from: backup,
    replaced: expect.stringContaining('.replaced-'),
  })
  expect(fs.statSync(toryo.db).mode & 0o777).toBe(0o600)
  expect(await projects(toryo)).toEqual(['before'])
  expect(await projects(toryo, '--db', restored.replaced)).toEqual(['after', 'before'])
})

test('keeps what a killed hub had only in its log', async () => {
  const { toryo: owned, backup } = await withBackup()
  await using toryo = owned
  const { pid } = await toryo.json<{ pid: number }>('status')
  process.kill(pid, 'SIGKILL')
  const { replaced } = await toryo.json<{ replaced: string }>('restore', backup)
  expect(await projects(toryo)).toEqual(['before'])
  expect(asideOf(toryo)).toContain(`${path.basename(replaced)}-wal`)
  expect(await projects(toryo, '--db', replaced)).toEqual(['after', 'before'])
})

test('restores into a place where there was nothing', async () => {
  const { toryo: owned, backup } = await withBackup()
  await using toryo = owned
  const db = path.join(toryo.folder, 'new', 'place.db')
  expect(await toryo.json('restore', backup, '--db', db)).toMatchObject({ db, replaced: null })
  expect(await projects(toryo, '--db', db)).toEqual(['before'])
})

test('refuses to restore while a hub runs, however it is hidden', async () => {
  const { toryo: owned, backup } = await withBackup()
  await using toryo = owned
  const running = await toryo.here(['restore', backup])
  expect(running).toMatchObject({ code: 1, out: '', err: expect.stringContaining('toryo stop') })
  // Without its state file only the lock shows that it runs.
  const state = `${toryo.db}.hub.json`
  fs.renameSync(state, `${state}.hidden`)
  expect(await toryo.here(['restore', backup])).toMatchObject({ code: 1, out: '' })
  fs.renameSync(`${state}.hidden`, state)
  expect(asideOf(toryo)).toEqual([])
  expect(await projects(toryo)).toEqual(['after', 'before'])
})

test('touches nothing when the backup is none', async () => {
  const { toryo: owned, backup } = await withBackup()
  await using toryo = owned
  await toryo.json('stop')
  const before = hash(toryo.db)
  const bytes = fs.readFileSync(backup)
  const foreign = Buffer.from(bytes)
  foreign.writeUInt32BE(0x12345678, 68)
  const bad: [name: string, content: Buffer, code: number][] = [
    ['empty', Buffer.alloc(0), 1],
    ['text', Buffer.from('hello '.repeat(100)), 1],
    ['foreign', foreign, 1],
    ['short', bytes.subarray(0, 5000), 1],
    ['scrambled', Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 0xff)]), 1],
  ]
  for (const [name, content, code] of bad) {
    const file = path.join(toryo.folder, name)
    fs.writeFileSync(file, content)
    const ran = await toryo.here(['restore', file])
    expect({ name, code: ran.code, out: ran.out }).toEqual({ name, code, out: '' })
    expect(ran.err).toContain(file)
  }
  fs.writeFileSync(`${backup}-wal`, 'x')
  expect(await toryo.here(['restore', backup])).toMatchObject({ code: 1, out: '' })
  expect(await toryo.here(['restore', toryo.db])).toMatchObject({ code: 2, out: '' })
  expect(await toryo.here(['restore', 'nowhere'])).toMatchObject({ code: 2, out: '' })
  expect(await toryo.here(['restore', backup, '--db', 'postgres://127.0.0.1/x'])).toMatchObject({ code: 2, out: '' })
  expect(hash(toryo.db)).toBe(before)
  expect(fs.readdirSync(toryo.home).filter(name => /replaced|restoring/.test(name))).toEqual([])
})

test('overwrites no file with a backup or an export', async () => {
  const { toryo: owned, backup } = await withBackup()
  await using toryo = owned
  const before = hash(backup)
  expect(await toryo.here(['backup', backup])).toMatchObject({ code: 2, out: '' })
  expect(await toryo.here(['export', backup])).toMatchObject({ code: 2, out: '' })
  expect(hash(backup)).toBe(before)
})

test('exports everything, and imports it into a new database', async () => {
  await using toryo = new Toryo()
  await toryo.json('project', 'add', '通販', '--id', 'shop')
  await toryo.json('agent', 'add', 'Ken', '--id', 'ken', '--engine', 'claude')
  await toryo.json('project', 'assign', 'shop', 'ken')
  await toryo.json('task', 'add', 'ログイン', '--id', 't1', '--project', 'shop', '--assignee', 'ken')
  const file = path.join(toryo.folder, 'data.jsonl')
  const written = await toryo.json<{ rows: number; bytes: number }>('export', file)
  const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(JSON.parse(lines[0] as string)).toMatchObject({ format: 'toryo-export', version: 1 })
  expect(written).toMatchObject({ file, rows: lines.length - 1, bytes: fs.statSync(file).size })
  expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  const piped = await toryo.here(['export'])
  expect(piped.out).toBe(fs.readFileSync(file, 'utf8'))
  expect((await toryo.here(['export', '-'])).out).toBe(piped.out)

  const there = ['--db', path.join(toryo.folder, 'there.db')]
  expect(await toryo.json('import', file, ...there)).toEqual({ rows: written.rows, secrets: true })
  expect(await toryo.json('task', 'show', 't1', ...there)).toEqual(await toryo.json('task', 'show', 't1'))
  expect(await toryo.json('project', 'show', 'shop', ...there)).toMatchObject({ agents: ['ken'] })
  const again = path.join(toryo.folder, 'again.db')
  // A process: the pipe is the point.
  const fromPipe = await toryo.run(['import', '-', '--db', again], {
    stdin: gunzipSync(gzipSync(piped.out)).toString(),
  })
  expect(fromPipe).toMatchObject({ code: 0, out: `Imported ${written.rows} rows.\n` })
  expect(await projects(toryo, '--db', again)).toEqual(['shop'])
  // All of it, and its end, are there before anything is read.
  const atOnce = ['import', '-', '--db', path.join(toryo.folder, 'at-once.db')]
  expect(await toryo.here(atOnce, { stdin: piped.out })).toMatchObject({ code: 0, out: fromPipe.out })

  const twice = await toryo.here(['import', file, ...there])
  expect(twice).toMatchObject({ code: 2, out: '', err: expect.stringContaining('holds data already') })
})

test('imports nothing from a file that is no export', async () => {
  await using toryo = new Toryo()
  const bad: Record<string, string> = {
    empty: '',
    text: 'hello\n',
    newer: '{"format":"toryo-export","version":2}\n',
    headless: '{"table":"projects","row":{}}\n',
    endless: 'x'.repeat(100_000),
  }
  for (const [name, content] of Object.entries(bad)) {
    const file = path.join(toryo.folder, name)
    fs.writeFileSync(file, content)
    expect({ name, ...(await toryo.here(['import', file])) }).toMatchObject({ name, code: 1, out: '' })
  }
  expect(await toryo.here(['import', 'nowhere'])).toMatchObject({ code: 2, out: '' })
  expect(await toryo.here(['import', '.'])).toMatchObject({ code: 2, out: '' })
  expect(await toryo.here(['import', '-'])).toMatchObject({ code: 1, out: '' })
  expect(fs.existsSync(toryo.home)).toBe(false)

  const cut = path.join(toryo.folder, 'cut')
  fs.writeFileSync(cut, '{"format":"toryo-export","version":1}\n{"table":"projects","ro')
  expect(await toryo.here(['import', cut])).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Line 2') })
  expect(await projects(toryo)).toEqual([])
})

test('works the same on PostgreSQL, and names what is different there', async () => {
  await using database = await freshPostgres()
  await using toryo = new Toryo()
  const db = ['--db', database.url]
  await toryo.json('project', 'add', '通販', '--id', 'shop', ...db)
  await toryo.json('task', 'add', 'ログイン', '--id', 't1', '--project', 'shop', ...db)
  try {
    const report = await toryo.json<{ findings: { check: string; level: string }[] }>('doctor', ...db)
    expect(report.findings.find(finding => finding.check === 'database')).toMatchObject({ level: 'ok' })
    expect(await toryo.here(['backup', 'b.db', ...db])).toMatchObject({ code: 2, out: '' })
    const file = path.join(toryo.folder, 'data.jsonl')
    await toryo.json('export', file, ...db)
    await toryo.json('import', file)
    expect(await toryo.json('task', 'show', 't1')).toEqual(await toryo.json('task', 'show', 't1', ...db))
  } finally {
    expect(await toryo.here(['stop', ...db])).toMatchObject({ code: 0 })
  }
  expect(await toryo.here(['status', ...db])).toMatchObject({ code: 3 })
})

test('says that an export holds the hashes of passkeys, and leaves them out on request', async () => {
  await using toryo = new Toryo()
  const { passkey } = await toryo.json<{ passkey: string }>(
    'agent',
    'add',
    'Ann',
    '--engine',
    'claude',
    '--id',
    'agt_ann',
  )
  const [whole, bare] = ['whole.jsonl', 'bare.jsonl'].map(name => path.join(toryo.folder, name)) as [string, string]
  const header = (file: string) => JSON.parse(fs.readFileSync(file, 'utf8').split('\n')[0] as string) as object
  const agentIn = (file: string) => /"table":"agents","row":(\{.*\})\}/.exec(fs.readFileSync(file, 'utf8'))?.[1] ?? '{}'
  const said = await toryo.here(['export', whole])
  expect(said).toMatchObject({ code: 0, out: expect.stringContaining('passkeys') })
  expect(header(whole)).toMatchObject({ secrets: true, note: expect.stringContaining('passkeys') })
  expect(JSON.parse(agentIn(whole))).toMatchObject({ passkey: expect.stringContaining('==:') })
  expect(await toryo.here(['export'])).toMatchObject({ err: expect.stringContaining('--without-secrets') })

  const silent = await toryo.here(['export', '--without-secrets', bare])
  expect(silent).toMatchObject({ code: 0, out: expect.not.stringContaining('passkey'), err: '' })
  expect(header(bare)).toMatchObject({ secrets: false })
  expect(JSON.parse(agentIn(bare))).toMatchObject({ id: 'agt_ann', passkey: '' })

  const there = ['--db', path.join(toryo.folder, 'there.db')]
  const imported = await toryo.here(['import', bare, ...there])
  expect(imported).toMatchObject({ code: 0, out: expect.stringContaining('toryo agent rotate') })
  await toryo.json('project', 'add', 'shop', '--id', 'prj_shop', ...there)
  await toryo.json('project', 'assign', 'shop', 'Ann', ...there)
  const signIn = async (key: string) => {
    const bridge = new BridgeClient(PROGRAM, ['mcp', ...there], toryo.env() as Record<string, string>)
    await bridge.handshake()
    const given = { agent_id: 'agt_ann', passkey: key, project_id: 'prj_shop' }
    const { result } = await bridge.request('tools/call', { name: 'authenticate', arguments: given })
    bridge.child.stdin.end()
    await bridge.exit
    return result?.['structuredContent'] ?? result
  }
  // Neither the one that it had, nor none at all.
  expect(JSON.stringify(await signIn(passkey))).toContain('Invalid agent_id or passkey')
  expect(JSON.stringify(await signIn(''))).not.toContain('session_token')
  const rotated = await toryo.json<{ passkey: string }>('agent', 'rotate', 'Ann', ...there)
  expect(await signIn(rotated.passkey)).toMatchObject({ success: true })
})
