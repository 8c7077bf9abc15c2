// kill -9 of the Runner at every step of a start, of the hub while an instance works, and a way to the hub that is cut.
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { HOLD_MS, LET_GO_MS } from '#contract/runner.ts'
import { bundleFile } from '../../scripts/bundle-file.js'
import { until } from '../bridge/world.ts'
import { TestClock, type TestHub, testHub } from '../hub.ts'
import { processesIn } from '../processes-in.ts'
import { bridgeProgram, QUICK, runnerAt, scriptedConfig, working } from '../runner.ts'
import { eventsOf, rowsOf } from '../scene.ts'

/** An agent that records its process, and works until it is released. */
async function amy(hub: TestHub, steps: readonly string[]): Promise<string> {
  const directory = path.join(hub.home, 'amy')
  fs.mkdirSync(directory)
  const system_prompt = steps.map(step => `!${step}`).join('\n')
  await hub.api('agent.add', { id: 'agt_amy', name: 'amy', engine: 'scripted', system_prompt })
  await hub.api('project.add', { id: 'prj_amy', name: 'amy', directory })
  await hub.api('project.assign', { agent_id: 'agt_amy', project_id: 'prj_amy' })
  const task = { project_id: 'prj_amy', title: 't', assignee_id: 'agt_amy', status: 'in_progress' } as const
  await hub.api('task.add', { id: 'tsk_amy', ...task })
  return directory
}

async function runnerProcess(hub: TestHub, token: string, at?: string): Promise<ChildProcess> {
  const program = await bundleFile('test/fixtures/runner-process.ts')
  const home = path.join(hub.home, 'elsewhere')
  const bridge = await bridgeProgram()
  const given = { url: hub.url, token, home, bridge, config: scriptedConfig, pace: QUICK, ...(at && { at }) }
  return spawn(process.execPath, [program, JSON.stringify(given)], { stdio: 'inherit' })
}

function gone(child: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })
}

const points = ['claimed', 'begun', 'planned', 'launched', 'recorded', 'ended', 'told']

test.each(points)('a Runner killed at "%s" leaves nothing that the next one does not put in order', async at => {
  const clock = new TestClock()
  await using hub = await testHub({ clock, config: scriptedConfig })
  const { token } = await hub.api('runner.add', { name: 'elsewhere' })
  // Until the last two points it would work for ever; there its end is what is looked at.
  const isEnd = at === 'ended' || at === 'told'
  const directory = await amy(hub, isEnd ? ['exit 3'] : ['deaf', 'leave setsid', 'hang'])
  const killed = await runnerProcess(hub, token, at)
  await gone(killed)
  expect(killed.signalCode).toBe('SIGKILL')
  if (at === 'launched') await until(() => processesIn(directory).length > 0)

  const next = await runnerProcess(hub, token, undefined)
  try {
    const started = ['claimed', 'begun'].includes(at)
    // A claim that was never taken up expires.
    if (started) {
      clock.advance(at === 'claimed' ? 120_000 : HOLD_MS)
      await hub.running.hub.tend([])
    } else {
      await until(async () => eventsOf(await rowsOf(hub, 'events'), 'instance.ended').length === 1)
      const [end] = eventsOf(await rowsOf(hub, 'events'), 'instance.ended')
      expect(end).toMatchObject({ epoch: 1, cause: isEnd ? 'itself' : 'runner-lost', exitCode: isEnd ? 3 : null })
    }
    expect(processesIn(directory)).toEqual([])
    const lost = eventsOf(await rowsOf(hub, 'events'), 'instance.lost')
    expect(lost).toEqual([{ agentId: 'agt_amy', projectId: 'prj_amy', epoch: 1, restarts: 1 }])
    expect((await rowsOf(hub, 'slots'))['slots']).toEqual([])
    // And the work goes on.
    clock.advance(10_000)
    await until(async () => eventsOf(await rowsOf(hub, 'events'), 'instance.start_claimed').length === 2)
    // The second may have come to its own end by now.
    expect(eventsOf(await rowsOf(hub, 'events'), 'instance.lost').filter(({ epoch }) => epoch === 1)).toHaveLength(1)
  } finally {
    next.kill('SIGTERM')
    await gone(next)
  }
  expect(processesIn(directory)).toEqual([])
  expect((await rowsOf(hub, 'slots'))['slots']).toEqual([])
  const runners = path.join(hub.home, 'elsewhere', 'runners')
  expect(fs.readdirSync(runners)).toEqual([])
})

test('a hub that is started anew finds the instance at work, which reports to it', async () => {
  const hub = await testHub({ config: scriptedConfig })
  const port = Number(new URL(hub.url).port)
  const { token } = await hub.api('runner.add', { name: 'elsewhere' })
  const wait = ['write begun.txt x', 'wait go.txt']
  const directory = await amy(hub, working('amy', wait))
  const runner = await runnerAt(hub, token, path.join(hub.home, 'elsewhere'))
  try {
    await until(() => fs.existsSync(path.join(directory, 'begun.txt')))
    const before = processesIn(directory)
    await hub.stop()
    await using again = await testHub({ target: hub.target, port, config: scriptedConfig })
    expect(processesIn(directory)).toEqual(before)
    fs.writeFileSync(path.join(directory, 'go.txt'), '')
    // fetch may first try a connection that it kept from the hub before, which had the same address.
    const status = () => again.api('task.show', { task_id: 'tsk_amy' }).then(({ status }) => status)
    await until(async () => (await status().catch(() => '')) === 'done')
    await until(async () => (await again.api('hub.status', {})).instances === 0)
    const rows = await rowsOf(again)
    expect(eventsOf(rows, 'instance.start_claimed')).toHaveLength(1)
    expect(eventsOf(rows, 'instance.lost')).toEqual([])
    expect(rows['runs']).toMatchObject([{ outcome: 'completed' }])
    await runner.stop()
  } finally {
    await runner.stop()
    await hub[Symbol.asyncDispose]()
  }
})

test('F24: a Runner that cannot reach its hub has ended its instances before the hub gives their pairs away', async () => {
  expect(LET_GO_MS + 15_000).toBeLessThan(HOLD_MS)
  const clock = new TestClock()
  const hub = await testHub({ clock, config: scriptedConfig })
  const port = Number(new URL(hub.url).port)
  const { token } = await hub.api('runner.add', { name: 'elsewhere' })
  const directory = await amy(hub, working('amy', ['write begun.txt x', 'hang']))
  // Long enough that only the hub's absence reaches it, not a busy machine.
  const pace = { letGoMs: 8_000 }
  const runner = await runnerAt(hub, token, path.join(hub.home, 'elsewhere'), { pace })
  try {
    await until(() => fs.existsSync(path.join(directory, 'begun.txt')))
    await hub.stop()
    await until(() => processesIn(directory).length === 0)
    // The hub got no report and still keeps the pair: no other Runner starts it.
    await using again = await testHub({ clock, target: hub.target, port, config: scriptedConfig })
    const rows = await rowsOf(again)
    expect(rows['slots']?.map(({ pool }) => pool).sort()).toEqual(['runs', 'runs prj_amy'])
    await until(async () => eventsOf(await rowsOf(again, 'events'), 'instance.ended').length === 1)
    expect(eventsOf(await rowsOf(again, 'events'), 'instance.ended')).toMatchObject([
      { cause: 'stopped', message: 'Its Runner stopped it, since the hub could not be reached for too long.' },
    ])
    expect((await rowsOf(again, 'runs'))['runs']).toMatchObject([{ outcome: 'error' }])
    await runner.stop()
  } finally {
    await runner.stop()
    await hub[Symbol.asyncDispose]()
  }
})

test('a Runner that is never heard of again loses its instance, and not before its time', async () => {
  const clock = new TestClock()
  await using hub = await testHub({ clock, config: scriptedConfig })
  const { token } = await hub.api('runner.add', { name: 'elsewhere' })
  const steps = [
    'deaf',
    'write begun.txt x',
    'wait go.txt',
    'call get_my_task {"session_token":"$SESSION"}',
    'write seen.txt x',
    'hang',
  ]
  const directory = await amy(hub, working('amy', steps))
  const killed = await runnerProcess(hub, token)
  await until(() => fs.existsSync(path.join(directory, 'begun.txt')))
  await until(async () => (await rowsOf(hub, 'instances'))['instances']?.[0]?.['supervised'] === 1)
  killed.kill('SIGKILL')
  await gone(killed)
  const ask = async () => {
    const connection = await hub.connect({ toolsets: 'runner' })
    const { body } = await connection.call('should_start', { agent_id: 'agt_amy', project_id: 'prj_amy' })
    await connection.close()
    return body
  }
  clock.advance(HOLD_MS - 10_000)
  fs.writeFileSync(path.join(directory, 'go.txt'), '')
  await until(() => fs.existsSync(path.join(directory, 'seen.txt')))
  clock.advance(20_000)
  // No Runner watches it, but it is there and works.
  expect(await ask()).toEqual({ should_start: false, reason: 'running' })
  for (const pid of processesIn(directory)) process.kill(pid, 'SIGKILL')
  await until(() => processesIn(directory).length === 0)
  await until(async () => (await hub.api('hub.status', {})).connections <= 1)
  clock.advance(HOLD_MS)
  await hub.running.hub.tend([])
  expect(eventsOf(await rowsOf(hub, 'events'), 'instance.lost')).toHaveLength(1)
  expect((await rowsOf(hub, 'slots'))['slots']).toEqual([])
  clock.advance(10_000)
  expect(await ask()).toMatchObject({ should_start: true })
})
