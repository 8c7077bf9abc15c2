// kill -9 of the hub at every step of a start by a Runner elsewhere: the start goes on with the next hub, once.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '#kernel/config.ts'
import { openLog } from '#kernel/log.ts'
import { Sqlite } from '#kernel/db/sqlite-port.ts'
import { Runner } from '#runner/runner.ts'
import { HEAVY, post, until, Workshop } from '../processes.ts'
import { QUICK, scriptedConfig, working } from '../runner.ts'

const points = ['claimed', 'begun', 'planned', 'launched', 'recorded', 'ended', 'told']

test.each(points)('at "%s"', HEAVY, async at => {
  await using shop = new Workshop()
  const first = await shop.hub()
  const state = first.state as NonNullable<typeof first.state>
  const port = new URL(state.url).port
  const directory = path.join(shop.home, 'amy')
  fs.mkdirSync(directory)
  const call = async (operation: string, input: object) => (await post(state, operation, input)).body
  const system_prompt = working('amy', ['append starts.txt x'])
    .map(step => `!${step}`)
    .join('\n')
  await call('agent.add', { id: 'agt_amy', name: 'amy', engine: 'scripted', system_prompt })
  await call('project.add', { id: 'prj_amy', name: 'amy', directory })
  await call('project.assign', { agent_id: 'agt_amy', project_id: 'prj_amy' })
  const task = { project_id: 'prj_amy', title: 't', assignee_id: 'agt_amy', status: 'in_progress' }
  await call('task.add', { id: 'tsk_amy', ...task })
  const { token } = await call('runner.add', { name: 'elsewhere' })
  const home = path.join(shop.home, 'elsewhere')
  fs.mkdirSync(home, { mode: 0o700 })
  const config = parseConfig(JSON.stringify(scriptedConfig), 'test')
  let killed = false
  const log = openLog({ level: '3', file: path.join(home, 'runner.log') })
  const runner = new Runner({
    url: state.url,
    token: String(token),
    version: '0',
    home,
    bridge: { program: path.join(shop.dist, 'bridge.js'), args: ['--url', state.url], env: { TORYO_HOME: home } },
    source: shop.env,
    lang: 'en',
    config: () => config,
    log,
    pace: QUICK,
    at: point => {
      if (point !== at || killed) return
      killed = true
      process.kill(state.pid, 'SIGKILL')
    },
  })
  runner.start()
  try {
    await until(() => killed)
    const second = await shop.hub(shop.db(), ['--background', `--port=${port}`])
    expect(second.exit).toBeUndefined()
    const next = second.state as NonNullable<typeof second.state>
    await until(async () => (await post(next, 'task.show', { task_id: 'tsk_amy' })).body['status'] === 'done')
    await until(async () => (await post(next, 'hub.status', {})).body['instances'] === 0)
    expect(fs.readFileSync(path.join(directory, 'starts.txt'), 'utf8')).toBe('x\n')
    await runner.stop()
    expect(fs.readdirSync(path.join(home, 'runners'))).toEqual([])
    expect((await second.stop()).code).toBe(0)
  } finally {
    await runner.stop()
    await log.dispose()
  }
  await shop.allGone()
  const file = new Sqlite(shop.db(), { readOnly: true })
  const rows = (table: string) => file.all(`SELECT * FROM ${table}`)
  expect(rows('slots')).toEqual([])
  expect(rows('instances')).toMatchObject([{ epoch: 1 }])
  expect(rows('runs')).toMatchObject([{ outcome: 'completed' }])
  expect(rows('leases')).toMatchObject([{ epoch: 1, restarts: 0 }])
  file.close()
})
