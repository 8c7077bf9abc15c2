// Runners as people start them: inside `toryo up`, and as `toryo runner` for a hub elsewhere, over TLS.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeCertificate } from './certificate.ts'
import { until } from './bridge/world.ts'
import { processesIn } from './processes-in.ts'
import { scriptedConfig, working } from './runner.ts'
import { Toryo } from './toryo.ts'

async function withAgent(toryo: Toryo, name: string, steps: readonly string[], to: string[] = []): Promise<string> {
  const directory = path.join(toryo.folder, name)
  fs.mkdirSync(directory)
  const prompt = steps.map(step => `!${step}`).join('\n')
  await toryo.json('project', 'add', name, '--id', `prj_${name}`, '--dir', directory, ...to)
  await toryo.json(
    'agent',
    'add',
    name,
    '--id',
    `agt_${name}`,
    '--engine',
    'scripted',
    '--system-prompt',
    prompt,
    ...to,
  )
  await toryo.json('project', 'assign', `prj_${name}`, `agt_${name}`, ...to)
  const task = ['--id', `tsk_${name}`, '--project', `prj_${name}`, '--assignee', `agt_${name}`]
  await toryo.json('task', 'add', 'work', ...task, '--status', 'in_progress', ...to)
  return directory
}

function configure(home: string): void {
  fs.mkdirSync(home, { recursive: true, mode: 0o700 })
  fs.writeFileSync(path.join(home, 'config.json'), JSON.stringify(scriptedConfig))
}

test('`toryo up` starts agents that have work, and Ctrl-C stops them with all that came from them', async () => {
  await using toryo = new Toryo()
  configure(toryo.home)
  const up = toryo.start('up', '--port', '0', '--json')
  await up.output(/"url"/)
  await withAgent(toryo, 'amy', working('amy', ['write roof.txt done']))
  await until(async () => (await toryo.json('task', 'show', 'tsk_amy'))['status'] === 'done')
  const directory = await withAgent(toryo, 'bob', working('bob', ['leave setsid', 'write begun.txt x', 'hang']))
  await until(() => fs.existsSync(path.join(directory, 'begun.txt')))
  const name = expect.stringMatching(/^[\w-]+:[0-9a-f]{6}$/)
  expect(await toryo.json('status')).toMatchObject({ runners: [name], pauses: [] })
  const status = await toryo.here(['status'])
  expect(status.out).toMatch(/runners\s+[\w-]+:[0-9a-f]{6}\n\s+agents at work\s+\d/)
  expect(await toryo.json('runner', 'list')).toMatchObject({ runners: [{ name, revoked_at: null }] })
  up.child.kill('SIGINT')
  expect(await up.ended).toBe(0)
  expect(processesIn(directory)).toEqual([])
  // What was open has ended, and the next hub records that.
  expect(await toryo.json('task', 'show', 'tsk_bob')).toMatchObject({ executions: [{ status: 'error' }] })
})

test('`toryo up` says who starts and why one does not', async () => {
  await using toryo = new Toryo()
  fs.mkdirSync(toryo.home, { recursive: true, mode: 0o700 })
  const engines = { scripted: { headless: ['no-such-program'] } }
  fs.writeFileSync(path.join(toryo.home, 'config.json'), JSON.stringify({ engines }))
  const up = toryo.start('up', '--port', '0')
  await up.output(/listens on/)
  await withAgent(toryo, 'amy', [])
  const directory = path.join(toryo.folder, 'amy')
  await until(() => up.seen.err.includes('! amy on amy: '))
  expect(up.seen.err).toContain(`! amy on amy: Waits for a Runner with scripted and ${directory}. `)
  expect(up.seen.err).toMatch(/ \S+:[0-9a-f]{6} does not have scripted\. Install what is missing there/)
  expect(up.seen.err).not.toContain('▸')
  const doctor = await toryo.here(['doctor'])
  expect(doctor.out).toContain(`Waits for a Runner with scripted and ${directory}. `)
})

test('with --no-runner, and in the background, nothing starts by itself', async () => {
  await using toryo = new Toryo()
  configure(toryo.home)
  const up = toryo.start('up', '--port', '0', '--json', '--no-runner')
  await up.output(/"url"/)
  await withAgent(toryo, 'amy', working('amy'))
  expect(await toryo.json('status')).toMatchObject({ runners: [], instances: 0 })
  up.child.kill('SIGINT')
  await up.ended
  expect(await toryo.json('runner', 'list')).toEqual({ runners: [] })
  expect((await toryo.here(['runner', 'list'])).err).toContain('No Runner has connected yet')
})

test('`toryo runner` works for a hub on another machine, over TLS, with a token of its own', async () => {
  await using toryo = new Toryo()
  fs.mkdirSync(toryo.home, { recursive: true, mode: 0o700 })
  const { cert, key } = makeCertificate(toryo.folder)
  toryo.more = { NODE_EXTRA_CA_CERTS: cert }
  const up = toryo.start('up', '--port', '0', '--json', '--no-runner', '--tls-cert', cert, '--tls-key', key)
  const [, url = ''] = await up.output(/"url":"([^"]+)"/)
  expect(url).toMatch(/^https:/)
  const directory = await withAgent(toryo, 'amy', working('amy', ['write roof.txt done']))
  const { token } = await toryo.json<{ token: string }>('runner', 'token', 'build-box')
  const file = path.join(toryo.folder, 'runner.token')
  fs.writeFileSync(file, `${token}\n`, { mode: 0o600 })
  // Its own home, as on another machine: it shares nothing with the hub but the folder of the project.
  const elsewhere = path.join(toryo.folder, 'elsewhere')
  configure(elsewhere)
  toryo.more = { NODE_EXTRA_CA_CERTS: cert, TORYO_HOME: elsewhere }
  const runner = toryo.start('runner', '--url', url, '--token-file', file)
  toryo.more = { NODE_EXTRA_CA_CERTS: cert }
  await until(() => fs.existsSync(path.join(directory, 'roof.txt')))
  await until(async () => (await toryo.json('task', 'show', 'tsk_amy'))['status'] === 'done')
  await until(() => runner.seen.err.includes('■'))
  expect(runner.seen.err).toMatch(/^Starting agents for https:.*\n▸ amy on amy \(scripted\)\n■ amy on amy: /)

  const second = await withAgent(toryo, 'bob', working('bob', ['write begun.txt x', 'hang']))
  await until(() => fs.existsSync(path.join(second, 'begun.txt')))
  const revoked = await toryo.here(['runner', 'revoke', 'build-box'])
  expect(revoked).toMatchObject({ code: 0, out: 'build-box is refused from now on.\n' })
  expect(await runner.ended).toBe(4)
  expect(runner.seen.err).toContain('The hub refuses this token')
  expect(processesIn(second)).toEqual([])
  const refused = await toryo.run(['runner', '--url', url, '--token-file', file], { env: { TORYO_HOME: elsewhere } })
  expect(refused.code).toBe(4)
  up.child.kill('SIGINT')
  expect(await up.ended).toBe(0)
})

test('says how to use it, and what is paused', async () => {
  await using toryo = new Toryo()
  expect(await toryo.run(['runner'])).toMatchObject({ code: 2, err: expect.stringContaining('--url and --token-file') })
  const added = await toryo.here(['runner', 'token', 'box'])
  expect(added.out).toMatch(/^Added the Runner box\.\n {2}token {2}rnr_\S+\nKeep the token now/)
  expect(await toryo.here(['runner', 'token', 'box'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('another name'),
  })
  expect(await toryo.here(['runner', 'revoke', 'none'])).toMatchObject({ code: 1 })
  expect(await toryo.here(['engine', 'resume', 'claude'])).toMatchObject({ code: 0, out: 'claude was not paused.\n' })
  const japanese = await toryo.here(['runner', '--help'], { env: { TORYO_LANG: 'ja' } })
  expect(japanese.out).toContain('Runner')
})
