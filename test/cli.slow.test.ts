// The CLI as people use it: the real program, the real hub, from nothing.
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isAlive } from '#system/processes.ts'
import { Toryo } from './toryo.ts'
import { until } from './until.ts'

test('goes from nothing to a task that is done', async () => {
  await using toryo = new Toryo()
  expect(fs.existsSync(toryo.home)).toBe(false)
  fs.mkdirSync(path.join(toryo.folder, '店 shop'))
  const project = await toryo.json('project', 'add', '通販', '--dir', '店 shop', '--description', 'a shop')
  expect(project).toMatchObject({
    project_id: expect.stringMatching(/^prj_/),
    name: '通販',
    working_directory: path.join(fs.realpathSync(toryo.folder), '店 shop'),
    status: 'active',
  })
  const id = String(project['project_id'])
  const agent = await toryo.json('agent', 'add', '花子', '--id', 'hanako', '--engine', 'claude', '--role', 'reviewer')
  expect(agent).toMatchObject({ agent_id: 'hanako', passkey: expect.stringMatching(/^key_/), engine: 'claude' })
  expect(await toryo.json('project', 'assign', id, 'hanako')).toEqual({ project_id: id, agent_id: 'hanako' })
  const task = await toryo.json('task', 'add', 'ログイン画面', '--project', id, '--assignee', 'hanako')
  expect(task).toMatchObject({ task_id: expect.stringMatching(/^tsk_/), status: 'todo', priority: 'medium' })
  const taskId = String(task['task_id'])
  expect(await toryo.json('task', 'move', taskId, 'in_progress')).toMatchObject({ status: 'in_progress' })
  expect(await toryo.json('task', 'assign', taskId, 'none')).toMatchObject({ assignee_id: null })
  expect(await toryo.json('task', 'move', taskId, 'done')).toMatchObject({ status: 'done' })
  expect(await toryo.json('task', 'list', '--status', 'done')).toMatchObject({ tasks: [{ task_id: taskId }] })
  expect(await toryo.json('task', 'list', '--status', 'todo')).toEqual({ tasks: [] })
  expect(await toryo.json('task', 'show', taskId)).toMatchObject({ notes: [], handoff: null, executions: [] })
  expect(await toryo.json('project', 'show', id)).toMatchObject({ agents: ['hanako'] })
  expect(await toryo.json('project', 'archive', id)).toMatchObject({ status: 'archived' })
  expect(await toryo.json('project', 'activate', id)).toMatchObject({ status: 'active' })
  const rotated = await toryo.json('agent', 'rotate', 'hanako')
  expect(rotated['passkey']).not.toBe(agent['passkey'])
  expect(await toryo.json('agent', 'disable', 'hanako')).toMatchObject({ status: 'disabled' })
  expect(await toryo.json('agent', 'enable', 'hanako')).toMatchObject({ status: 'active' })
  expect(await toryo.json('agent', 'show', 'hanako')).toMatchObject({ project_ids: [id] })
  expect(await toryo.json('agent', 'show', 'hanako')).toMatchObject({ toolsets: [] })
  expect(await toryo.json('agent', 'toolsets', 'hanako', 'tabs,crews,tabs')).toMatchObject({
    toolsets: ['crews', 'tabs'],
  })
  expect(await toryo.json('agent', 'list')).toMatchObject({ agents: [{ toolsets: ['crews', 'tabs'] }] })
  expect((await toryo.run(['agent', 'show', 'hanako'])).out).toMatch(/toolsets +crews, tabs\n/)
  expect(await toryo.json('agent', 'toolsets', '花子', 'none')).toMatchObject({ toolsets: [] })
  const lead = await toryo.json('agent', 'add', 'Lead', '--engine', 'claude', '--toolsets', 'crews, memory')
  expect(lead).toMatchObject({ toolsets: ['crews', 'memory'] })
  expect(await toryo.json('project', 'unassign', id, 'hanako')).toEqual({ project_id: id, agent_id: 'hanako' })
  expect(fs.statSync(toryo.home).mode & 0o777).toBe(0o700)
})

test('shows what is there to people, lined up, in their language', async () => {
  await using toryo = new Toryo()
  const empty = await toryo.here(['project', 'list'])
  expect(empty).toMatchObject({ code: 0, out: '', err: expect.stringContaining('toryo init') })
  await toryo.here(['project', 'add', '通販サイト', '--id', 'shop'])
  const added = await toryo.here(['agent', 'add', 'Ken', '--id', 'ken', '--engine', 'codex'])
  expect(added.out).toMatch(
    /^Added Ken \(ken\)\.\n {2}passkey {2}key_\S+\nKeep the passkey now: it is not shown again\.\n$/,
  )
  await toryo.here(['task', 'add', 'ログイン画面', '--id', 't1', '--project', 'shop'])
  await toryo.here(['task', 'add', 'Write it down', '--id', 't2', '--project', 'shop', '--priority', 'urgent'])
  const english = await toryo.here(['task', 'list', '--project', 'shop'])
  const rows = english.out.trimEnd().split('\n').sort()
  expect(rows).toEqual([
    expect.stringMatching(/^ID {6}TITLE {10}STATUS {2}STAGE {4}PRIORITY {2}ASSIGNEE {2}UPDATED$/),
    expect.stringMatching(/^shop-1 {2}ログイン画面 {3}todo {4}planned {2}medium {4}- {9}\S/),
    expect.stringMatching(/^shop-2 {2}Write it down {2}todo {4}planned {2}urgent {4}- {9}\S/),
  ])
  const japanese = await toryo.here(['task', 'list'], { env: { TORYO_LANG: 'ja' } })
  expect(japanese.out).toMatch(/^ID {6}タイトル {7}状態 {4}段階 {2}優先度 {2}担当 {2}更新\n/)
  expect(japanese.out).toMatch(/^shop-1 {2}ログイン画面 {3}未着手 {2}計画 {2}中 {6}- {5}\S/m)
  expect((await toryo.here(['task', 'show', 'nope'], { env: { LANG: 'ja_JP.UTF-8' } })).err).toBe(
    'toryo: タスク nope はありません。`toryo task list` で一覧を確認できます。\n',
  )
  const all = await Promise.all(
    [
      ['project', 'list'],
      ['project', 'show', 'shop'],
      ['agent', 'list'],
      ['agent', 'show', 'ken'],
      ['task', 'show', 't1'],
      ['status'],
    ].map(args => toryo.here(args)),
  )
  for (const { code, out, err } of all) {
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).not.toContain('\u001b')
  }
})

test('lets nothing that an agent wrote reach the terminal as a command', async () => {
  await using toryo = new Toryo()
  const evil = 'a\u001b]0;pwned\u0007\u001b[31m\u009b2J\u202eb'
  await toryo.json('project', 'add', `p${evil}`, '--id', 'p', '--description', evil)
  await toryo.json(
    'agent',
    'add',
    `n${evil}`,
    '--id',
    'n',
    '--engine',
    'claude',
    '--role',
    evil,
    '--system-prompt',
    evil,
  )
  await toryo.json('task', 'add', `t${evil}`, '--id', 't', '--project', 'p', '--description', `one\n${evil}`)
  const views = [
    'project list',
    'project show p',
    'agent list',
    'agent show n',
    'task list',
    'task show t',
    'task move t blocked',
  ]
  for (const view of [...views, ...views.map(line => `${line} --json`)]) {
    const { code, out, err } = await toryo.here(view.split(' '), { env: { FORCE_COLOR: '' } })
    expect({ view, code, err }).toEqual({ view, code: 0, err: '' })
    // oxlint-disable-next-line no-control-regex
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    expect(out).toContain('pwned')
  }
  expect((await toryo.json('task', 'show', 't'))['title']).toBe(`t${evil}`)
})

test('tells apart by its exit code why it failed, with nothing on stdout', async () => {
  await using toryo = new Toryo()
  expect(await toryo.run(['status'])).toMatchObject({ code: 3, err: '' })
  expect(JSON.parse((await toryo.here(['status', '--json'])).out)).toEqual({
    running: false,
    pid: null,
    url: null,
    db: toryo.db,
    version: null,
  })
  expect(await toryo.here(['stop'])).toMatchObject({ code: 3, out: '' })
  expect(await toryo.here(['logs'])).toMatchObject({ code: 3, out: '' })
  expect(fs.existsSync(toryo.home)).toBe(false)

  const token = (await toryo.here(['token'])).out.trim()
  const { url } = await toryo.json<{ url: string }>('status')
  const right = path.join(toryo.folder, 'right')
  const wrong = path.join(toryo.folder, 'wrong')
  fs.writeFileSync(right, `${token}\n`, { mode: 0o600 })
  fs.writeFileSync(wrong, 'hub_not-the-token-of-this-hub\n', { mode: 0o600 })
  const failures: [number, string, ...string[]][] = [
    [1, 'PROJECT_NOT_FOUND', 'project', 'show', 'nope'],
    [1, 'AGENT_NOT_FOUND', 'agent', 'show', 'nope'],
    [2, 'USAGE', 'project', 'add', 'x', '--dir', 'nowhere'],
    [2, 'USAGE', 'project', 'add', 'x', '--dir', 'right'],
    [2, 'USAGE', 'agent', 'add', 'x', '--engine', 'claude', '--system-prompt', '@nowhere'],
    [2, 'INVALID_ARGUMENT', 'project', 'add', 'x', '--id', 'no good'],
    [2, 'USAGE', 'agent', 'add', 'x', '--engine', 'claude', '--toolsets', 'crews,runner'],
    [2, 'USAGE', 'agent', 'toolsets', 'x', 'everything'],
    [2, 'USAGE', 'project', 'list', '--url', url],
    [3, 'HUB_UNREACHABLE', 'project', 'list', '--url', 'http://127.0.0.1:1', '--token-file', right],
    [4, 'TOKEN_UNKNOWN', 'project', 'list', '--url', url, '--token-file', wrong],
  ]
  const codes = new Set<number>()
  for (const [code, name, ...args] of failures) {
    // Each code once as that of a process.
    const ran = codes.has(code) ? await toryo.here([...args, '--json']) : await toryo.run([...args, '--json'])
    codes.add(code)
    expect({ args, code: ran.code, out: ran.out }).toEqual({ args, code, out: '' })
    expect(JSON.parse(ran.err)).toEqual({ error: { code: name, message: expect.any(String) } })
  }
  fs.chmodSync(right, 0o644)
  expect(await toryo.here(['project', 'list', '--url', url, '--token-file', right])).toMatchObject({ code: 4 })
  fs.chmodSync(right, 0o600)
  expect(await toryo.here(['project', 'list', '--url', url, '--token-file', right])).toMatchObject({ code: 0 })
  expect(await toryo.here(['--url', url, '--token-file', right, 'status'])).toMatchObject({ code: 0 })
})

test('follows a list to its end, and says when there is more', async () => {
  await using toryo = new Toryo()
  await toryo.json('project', 'add', 'p', '--id', 'p')
  const token = (await toryo.json<{ token: string }>('token')).token
  const { url } = await toryo.json<{ url: string }>('status')
  const add = (index: number) =>
    fetch(`${url}/api/task.add`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: `t${index}`, project_id: 'p', title: `task ${index}` }),
    })
  for (let from = 0; from < 450; from += 50)
    await Promise.all(Array.from({ length: 50 }, (_, index) => add(from + index)))
  const some = await toryo.here(['task', 'list'])
  expect(some.out.trimEnd().split('\n')).toHaveLength(101)
  expect(some.err).toContain('--limit')
  const all = await toryo.json<{ tasks: { task_id: string }[]; next_cursor?: string }>(
    'task',
    'list',
    '--limit',
    '1000',
  )
  expect(new Set(all.tasks.map(task => task.task_id)).size).toBe(450)
  expect(all.next_cursor).toBeUndefined()
  const part = await toryo.json<{ tasks: unknown[]; next_cursor?: string }>('task', 'list', '--limit', '250')
  expect(part.tasks).toHaveLength(250)
  expect(part.next_cursor).toEqual(expect.any(String))
})

test('starts one hub, however many commands need it at once', async () => {
  await using toryo = new Toryo()
  const ran = await Promise.all(['a', 'b', 'c', 'd'].map(id => toryo.run(['project', 'add', id, '--id', id])))
  expect(ran.map(({ code, out }) => ({ code, out }))).toEqual(
    ['a', 'b', 'c', 'd'].map(id => ({ code: 0, out: `Added ${id} (${id}).\n` })),
  )
  expect((await toryo.json<{ projects: unknown[] }>('project', 'list')).projects).toHaveLength(4)
})

test('goes on after its hub was killed, with nothing lost', async () => {
  await using toryo = new Toryo()
  await toryo.json('project', 'add', 'p', '--id', 'p')
  const before = await toryo.json<{ pid: number }>('status')
  process.kill(before.pid, 'SIGKILL')
  expect(await toryo.json('project', 'show', 'p')).toMatchObject({ project_id: 'p' })
  expect((await toryo.json<{ pid: number }>('status')).pid).not.toBe(before.pid)
})

test('does once what is sent again to the next hub, since the first died before it answered', async () => {
  await using toryo = new Toryo()
  await toryo.json('project', 'add', 'p', '--id', 'p')
  const key = randomUUID()
  const send = async () => {
    const { token } = await toryo.json<{ token: string }>('token')
    const { url, pid } = await toryo.json<{ url: string; pid: number }>('status')
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key }
    const body = JSON.stringify({ project_id: 'p', title: 'once' })
    const answer = await fetch(`${url}/api/task.add`, { method: 'POST', headers, body })
    return { pid, task: (await answer.json()) as { task_id: string } }
  }
  const first = await send()
  process.kill(first.pid, 'SIGKILL')
  const second = await send()
  expect(second.pid).not.toBe(first.pid)
  expect(second.task).toEqual(first.task)
  expect((await toryo.json<{ tasks: unknown[] }>('task', 'list')).tasks).toHaveLength(1)
})

test('runs the hub in the foreground, takes over from the one behind, and stops it', async () => {
  await using toryo = new Toryo()
  await toryo.json('project', 'add', 'p', '--id', 'p')
  const background = await toryo.json<{ pid: number }>('status')
  const up = toryo.start('up', '--port', '0', '--no-open', '--no-register', '--no-runner')
  const [, url] = await up.output(/(http:\/\/127\.0\.0\.1:\d+)/)
  expect(await toryo.json('status')).toMatchObject({
    running: true,
    url,
    pid: up.child.pid,
    db: toryo.db,
    background: false,
  })
  await until(() => !isAlive(background.pid))
  expect(await toryo.json('project', 'show', 'p')).toMatchObject({ project_id: 'p' })
  const second = await toryo.run(['up', '--port', '0'])
  expect(second).toMatchObject({ code: 1, err: expect.stringContaining(url as string) })
  up.child.kill('SIGINT')
  expect(await up.ended).toBe(0)
  expect(await toryo.here(['status'])).toMatchObject({ code: 3 })

  const again = toryo.start('up', '--port', '0', '--json')
  const announced = JSON.parse((await again.output(/^(\{.*\})\n/))[1] as string)
  expect(announced).toMatchObject({ url: expect.any(String), pid: again.child.pid })
  expect(await toryo.json('stop')).toEqual({ stopped: true, pid: again.child.pid })
  expect(await again.ended).toBe(0)
})

test('shows the log, and goes on showing it', async () => {
  await using toryo = new Toryo()
  await toryo.json('project', 'add', 'p', '--id', 'p')
  const shown = await toryo.here(['logs'])
  expect(shown.out).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d INFO {2}the hub listens url=http/m)
  const { entries } = await toryo.json<{ entries: { message: string }[] }>('logs', '-n', '1')
  expect(entries).toHaveLength(1)
  const following = toryo.start('logs', '-f')
  await following.output(/the hub listens/)
  await toryo.json('stop')
  await toryo.json('project', 'list')
  await following.output(/the hub listens[^]*the hub listens/)
  following.child.kill('SIGINT')
  expect(await following.ended).toBe(0)
})

test('looks for problems and names the fix of each', async () => {
  await using toryo = new Toryo()
  type Report = { ok: boolean; findings: { check: string; level: string; message: string; fix: string | null }[] }
  const tools = path.join(toryo.folder, 'tools')
  fs.mkdirSync(tools)
  fs.writeFileSync(path.join(tools, 'codex'), '#!/bin/sh\necho codex-cli 9.9.9\n', { mode: 0o755 })
  fs.writeFileSync(path.join(tools, 'gemini'), '#!/bin/sh\necho broken >&2\nexit 3\n', { mode: 0o755 })
  const env = { PATH: `${tools}${path.delimiter}${process.env['PATH']}` }
  const examine = async () => {
    const { code, out } = await toryo.here(['doctor', '--json'], { env })
    const report = JSON.parse(out) as Report
    return { code, ...report, of: (check: string) => report.findings.find(finding => finding.check === check) }
  }
  const fresh = await examine()
  expect(fresh).toMatchObject({ code: 0, ok: true })
  expect(fresh.of('git')).toMatchObject({ level: 'ok', message: expect.stringContaining('git version') })
  expect(fresh.of('engine.codex')).toMatchObject({ level: 'ok', message: expect.stringContaining('codex-cli 9.9.9') })
  expect(fresh.of('git')).toMatchObject({ level: 'ok', fix: null })
  expect(fresh.of('engine.gemini')).toMatchObject({ level: 'warn', fix: expect.stringContaining('gemini --version') })
  expect(fs.existsSync(toryo.db)).toBe(false)

  await toryo.json('project', 'add', 'p', '--id', 'p')
  fs.chmodSync(toryo.home, 0o755)
  fs.writeFileSync(path.join(toryo.home, 'config.json'), '// mine\n{\n  "limits": {,}\n}\n')
  const running = await examine()
  expect(running).toMatchObject({ code: 1, ok: false })
  expect(running.of('hub')).toMatchObject({ level: 'ok' })
  expect(running.of('database')).toMatchObject({ level: 'ok' })
  expect(running.of('home')).toMatchObject({ level: 'warn', fix: expect.stringContaining('chmod 700') })
  expect(running.of('config')).toMatchObject({ level: 'fail', message: expect.stringContaining('config.json:3') })

  await toryo.json('stop')
  fs.rmSync(path.join(toryo.home, 'config.json'))
  fs.writeFileSync(toryo.db, 'not a database at all'.repeat(20))
  const damaged = await examine()
  expect(damaged.of('database')).toMatchObject({ level: 'fail', fix: expect.stringContaining('toryo restore') })
  const people = await toryo.run(['doctor'], { env: { ...env, TORYO_LANG: 'ja' } })
  expect(people).toMatchObject({ code: 1, out: expect.stringContaining('✗ ') })
  expect(people.out).toContain('要修正 1 件')
})

test('completes in the shells', async () => {
  await using toryo = new Toryo()
  for (const [how, shell] of [
    ['run', 'bash'],
    ['here', 'zsh'],
    ['here', 'fish'],
  ] as const) {
    const { code, out } = await toryo[how](['completion', shell])
    expect(code).toBe(0)
    expect(out).toContain('unassign')
  }
  expect(await toryo.here(['completion', 'tcsh'])).toMatchObject({ code: 2, out: '' })
  expect(fs.existsSync(toryo.home)).toBe(false)
})

test('stops quietly when nobody reads on', async () => {
  await using toryo = new Toryo()
  const listing = toryo.start('completion', 'bash')
  listing.child.stdout?.destroy()
  expect(await listing.ended).toBe(0)
  expect(listing.seen.err).toBe('')
})

test('a project is edited, and its address in Asana is shown', async () => {
  await using toryo = new Toryo()
  const url = 'https://app.asana.com/0/1/list'
  expect(await toryo.json('project', 'add', '通販', '--id', 'shop', '--asana-url', url)).toMatchObject({
    asana_url: url,
  })
  expect((await toryo.here(['project', 'show', 'shop'])).out).toContain(url)
  const edited = await toryo.here([
    'project',
    'edit',
    '通販',
    '--name',
    '店',
    '--description',
    '二つ目',
    '--asana-url',
    '',
  ])
  expect(edited).toMatchObject({ code: 0, out: 'Changed 店 (shop).\n' })
  expect(await toryo.json('project', 'show', 'shop')).toMatchObject({
    name: '店',
    description: '二つ目',
    asana_url: null,
  })
  expect(await toryo.here(['project', 'edit', 'shop'])).toMatchObject({ code: 2 })
  expect(await toryo.here(['project', 'edit', 'shop', '--asana-url', 'x'])).toMatchObject({ code: 2 })
})
