// Real processes whose clock is set, that are stopped with Ctrl-Z and go on, and that are asked twice to end.
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readState } from '#client/state-file.ts'
import { bundleFile } from '../../scripts/bundle-file.js'
import { DIST } from '../../scripts/sources.js'
import { canSetClocks, ClockShim } from '../clock-shim.ts'
import { testHub } from '../hub.ts'
import { ended, HEAVY, post, until, Workshop } from '../processes.ts'
import { bridgeProgram, QUICK, scriptedConfig, working, Yard } from '../runner.ts'
import { isRunning } from '../scripted.ts'
import { becomes, TabShop } from '../tabs.ts'

const HOUR = 3_600_000
const LET_GO_MS = 1500

type Ask = (operation: string, input: object) => Promise<Record<string, unknown>>

async function amy(ask: Ask, directory: string, steps: readonly string[]): Promise<void> {
  fs.mkdirSync(directory, { recursive: true })
  const system_prompt = working('amy', steps)
    .map(step => `!${step}`)
    .join('\n')
  await ask('agent.add', { id: 'agt_amy', name: 'amy', engine: 'scripted', system_prompt })
  await ask('project.add', { id: 'prj_amy', name: 'amy', directory })
  await ask('project.assign', { agent_id: 'agt_amy', project_id: 'prj_amy' })
  const task = { project_id: 'prj_amy', title: 't', assignee_id: 'agt_amy', status: 'in_progress' }
  await ask('task.add', { id: 'tsk_amy', ...task })
}

describe.runIf(canSetClocks)('clocks of real processes', () => {
  test('toryo up that was stopped for ten minutes lets its agents go on', HEAVY, async () => {
    await using shop = new Workshop()
    const home = path.join(shop.home, 'toryo')
    fs.mkdirSync(home, { mode: 0o700 })
    fs.writeFileSync(path.join(home, 'config.json'), JSON.stringify(scriptedConfig))
    const clock = new ClockShim(shop.home)
    shop.more = clock.env
    const hub = await shop.hub(shop.db(), ['--port=0', '--no-register'])
    const state = await shop.servingHub()
    const ask: Ask = async (operation, input) => {
      const { status, body } = await post(state, operation, input)
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body
    }
    const directory = path.join(shop.home, 'amy')
    await amy(ask, directory, ['write begun.txt x', 'wait go.txt'])
    await until(() => fs.existsSync(path.join(directory, 'begun.txt')))
    clock.stop(600_000)
    const log = path.join(home, 'logs')
    const said = () => fs.readdirSync(log).map(name => path.join(log, name))
    const lines = () => said().map(file => (fs.statSync(file).isFile() ? fs.readFileSync(file, 'utf8') : ''))
    await until(() => lines().some(text => text.includes('the Runner was stopped for a while')))
    await until(() => lines().some(text => text.includes('this hub was not running for a while')))
    // The hub was asked after it, and has judged by its time.
    const seen = async () => {
      const { runners } = (await ask('runner.list', {})) as { runners: { last_seen_at: string }[] }
      return Date.parse(runners[0]?.last_seen_at ?? '')
    }
    const first = await seen()
    await until(async () => (await seen()) > first + 10_000)
    fs.writeFileSync(path.join(directory, 'go.txt'), '')
    await until(async () => (await ask('task.show', { task_id: 'tsk_amy' }))['status'] === 'done')
    const { executions } = (await ask('task.show', { task_id: 'tsk_amy' })) as { executions: object[] }
    expect(executions).toMatchObject([{ status: 'completed' }])
    expect(await hub.stop()).toMatchObject({ code: 0 })
    await shop.allGone()
  })

  test.each([
    ['ahead', 2 * HOUR],
    ['back', -2 * HOUR],
  ])('a hub killed before the clock is put two hours %s leaves an agent signed in', HEAVY, async (_, jump) => {
    await using shop = new Workshop()
    const clock = new ClockShim(shop.home)
    shop.more = clock.env
    const hub = await shop.hub()
    const state = await shop.servingHub()
    const add = async (operation: string, input: object) => (await post(state, operation, input)).body
    const { passkey } = await add('agent.add', { id: 'agt_amy', name: 'amy', engine: 'claude' })
    await add('project.add', { id: 'prj_amy', name: 'amy', directory: shop.home })
    await add('project.assign', { agent_id: 'agt_amy', project_id: 'prj_amy' })
    const task = { project_id: 'prj_amy', title: 't', assignee_id: 'agt_amy', status: 'in_progress' }
    await add('task.add', { id: 'tsk_amy', ...task })
    const bridge = shop.bridge()
    await bridge.initialize()
    const signIn = { agent_id: 'agt_amy', project_id: 'prj_amy', passkey }
    const { session_token } = (await bridge.call('authenticate', signIn)).body
    await hub.kill()
    clock.jump(jump)
    expect((await bridge.call('get_my_task', { session_token })).text).toContain('tsk_amy')
    const asked = await bridge.call('authenticate', signIn)
    expect(asked.body).toMatchObject({ success: true, session_token })
    await bridge.close()
    await shop.stopHub()
    await shop.allGone()
  })
})

/** As Ctrl-Z, for longer than it may be without the hub. */
async function stopFor(child: ChildProcess, ms: number): Promise<void> {
  child.kill('SIGSTOP')
  const since = performance.now()
  await until(() => performance.now() - since > ms)
  child.kill('SIGCONT')
}

describe.runIf(process.platform === 'linux')('a Runner that was stopped (Ctrl-Z)', () => {
  async function onYard(story: (yard: Yard, runner: ChildProcess, directory: string) => Promise<void>): Promise<void> {
    await using yard = new Yard(await testHub({ config: scriptedConfig }))
    const { token } = await yard.hub.api('runner.add', { name: 'elsewhere' })
    const directory = path.join(yard.hub.home, 'amy')
    await amy((operation, input) => yard.hub.api(operation as never, input as never), directory, [
      'write begun.txt $$',
      'wait go.txt',
    ])
    const pace = { ...QUICK, letGoMs: LET_GO_MS }
    const home = path.join(yard.hub.home, 'elsewhere')
    const given = { url: yard.hub.url, token, home, bridge: await bridgeProgram(), config: scriptedConfig, pace }
    const program = await bundleFile('test/fixtures/runner-process.ts')
    const runner = spawn(process.execPath, [program, JSON.stringify(given)], { stdio: 'inherit' })
    const gone = ended(runner)
    try {
      await until(() => fs.existsSync(path.join(directory, 'begun.txt')))
      await story(yard, runner, directory)
    } finally {
      runner.kill('SIGCONT')
      runner.kill('SIGTERM')
      await gone
    }
  }

  test('asks the hub before it lets go, and what is still its own goes on', HEAVY, () =>
    onYard(async (yard, runner, directory) => {
      await stopFor(runner, 3 * LET_GO_MS)
      const log = path.join(yard.hub.home, 'elsewhere', 'runner.log')
      await until(() => fs.readFileSync(log, 'utf8').includes('the Runner was stopped for a while'))
      fs.writeFileSync(path.join(directory, 'go.txt'), '')
      await until(async () => (await yard.status('tsk_amy')) === 'done')
      expect(await yard.events('instance.lost')).toEqual([])
      expect(await yard.events('instance.start_claimed')).toHaveLength(1)
    }),
  )

  test('ends what was given away meanwhile', HEAVY, () =>
    onYard(async (yard, runner) => {
      runner.kill('SIGSTOP')
      await yard.hub.api('agent.disable', { agent_id: 'agt_amy' })
      await stopFor(runner, 2 * LET_GO_MS)
      await until(async () => (await yard.events('instance.ended')).length === 1)
    }),
  )

  test('lets go when the hub does not answer then either', HEAVY, () =>
    onYard(async (yard, runner, directory) => {
      const working = () => fs.readFileSync(path.join(yard.hub.home, 'elsewhere', 'runner.log'), 'utf8')
      runner.kill('SIGSTOP')
      await yard.hub.stop()
      await stopFor(runner, 2 * LET_GO_MS)
      await until(() => working().includes('Its Runner stopped it, since the hub could not be reached for too long.'))
      expect(fs.existsSync(path.join(directory, 'go.txt'))).toBe(false)
    }),
  )
})

test.runIf(process.platform === 'linux')(
  'a second Ctrl-C ends a hub at once whose host of terminals hangs, and the next hub finds what was left',
  HEAVY,
  async () => {
    await using shop = new TabShop()
    await shop.prepare()
    const { target } = shop
    const child = spawn(process.execPath, [path.join(DIST, 'hub.js'), '--db', target.db, '--port=0', '--no-register'], {
      env: { PATH: process.env['PATH'], HOME: shop.home, TORYO_HOME: target.home, LANG: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (bytes: Buffer) => (stderr += bytes.toString()))
    const exit = ended(child)
    const state = await until(() => {
      const found = readState(target)
      return found?.pid === child.pid && found
    })
    const launched = await post(state, 'tab.launch', { engine: 'tui', branch: 'a', project_id: shop.projectId })
    const tab = String(launched.body['tab_id'])
    await until(async () => (await post(state, 'tab.show', { tab_id: tab })).body['status'] === 'idle')
    const [folder = ''] = fs.readdirSync(path.join(target.home, 'pty'))
    const file = path.join(target.home, 'pty', folder, 'host.json')
    const host = (JSON.parse(fs.readFileSync(file, 'utf8')) as { record: { pid: number } }).record.pid
    process.kill(host, 'SIGSTOP')
    child.kill('SIGINT')
    await until(() => stderr.includes('Press Ctrl-C again'))
    child.kill('SIGINT')
    const { code, stderr: all } = await exit
    expect(code).toBe(130)
    expect(all).toMatch(/Ended at once; \d+ processes were killed\. The next `toryo up` records how their work ended\./)
    expect(isRunning(host)).toBe(false)
    expect(isRunning(shop.pidOf(tab))).toBe(false)
    expect(readState(target)).toBeUndefined()
    const next = await shop.hub()
    await becomes(next, tab, 'exited')
    // A host that wakes up to be ended may still write down how its program ended.
    expect(['lost', 'exited']).toContain((await next.api('tab.show', { tab_id: tab })).end_reason)
  },
)
