// The demo from its start to a merged change, and what is left of it: nothing.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { DIST } from '../scripts/sources.js'
import { DemoFolder } from './demo.ts'
import { testHub } from './hub.ts'
import { HEAVY } from './processes.ts'
import { until } from './until.ts'

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u
const prices = 'tsk_prices'
const rounding = 'tsk_rounding'
const labels = 'tsk_labels'

async function stageOf(demo: DemoFolder, task_id: string): Promise<string> {
  return (await demo.api('task.show', { task_id })).stage
}

async function question(demo: DemoFolder) {
  return until(async () => (await demo.api('inbox.list', {})).items.find(({ kind }) => kind === 'tab_waits'))
}

test('the whole scene: work, a failed check, a question, an overlap, a review, a merge', HEAVY, async () => {
  await using demo = new DemoFolder()
  const { child, ended } = demo.start()
  await demo.begun(child.pid)
  expect(await demo.api('hub.status', {})).toMatchObject({ demo: true, background: false })
  const { agents } = await demo.api('agent.list', {})
  expect(agents.map(({ engine }) => engine)).toEqual(['demo', 'demo-spare', 'demo', 'demo'])

  const { tab_id, detail, command } = await question(demo)
  // No `toryo` is in the search path here: each command is one that can be run as it is printed.
  const program = `node ${path.join(DIST, '..', 'bin', 'toryo.js')}`
  expect(command).toBe(`${program} tab attach feature/login --db ${demo.place.db}`)
  expect(await demo.shell(`${program} overlaps --db ${demo.place.db}`)).toMatchObject({ code: 0 })
  expect(detail).toContain('Should the session be a cookie or a bearer token?')
  await demo.press(tab_id as string, '2')
  const decided = await until(async () => {
    const { decisions } = await demo.api('memory.decision.list', { project_id: 'prj_shop' })
    return decisions.length === 11 && decisions
  })
  const sessions = decided.find(({ decision }) => decision === 'Sessions: bearer token')
  expect(sessions?.reason).toContain('A person chose it')
  const integers = decided.find(({ decision }) => decision.startsWith('Prices are integers'))
  const decimals = decided.find(({ decision }) => decision === 'Prices are decimal numbers')
  expect(integers?.supersedes).toBe(decimals?.id)

  await until(async () => (await stageOf(demo, prices)) === 'review')
  await until(async () => (await stageOf(demo, rounding)) === 'review')
  const { evidence } = await demo.api('task.show', { task_id: rounding })
  expect(evidence.map(({ outcome }) => outcome)).toEqual(['passed', 'failed'])
  const overlap = await until(async () =>
    (await demo.api('overlap.list', {})).overlaps.find(one => one.kind === 'lines'),
  )
  expect(overlap.files).toEqual(['src/cart.js'])
  const { crews } = await demo.api('crew.list', {})
  expect(crews).toMatchObject([{ description: 'Review the cart', mode: 'sequential', on_failure: 'continue', runs: 3 }])
  const runsNow = async () =>
    (await demo.api('run.list', {})).runs.map(({ role, status }) => `${role} ${status}`).sort()
  // The second stage comes although one of the first has failed.
  await until(async () => (await runsNow()).includes('planner completed'))
  expect(await runsNow()).toEqual(['planner completed', 'reviewer failed', 'tester completed'])
  // As the guide has it, whatever waits longest.
  const kinds = (await demo.api('inbox.list', {})).items.map(({ kind }) => kind)
  expect(kinds.slice(0, 3)).toEqual(['review', 'review', 'overlap'])
  expect(kinds.at(-1)).toBe('run_failed')
  // The failure waits for a person, and is gone when the review is run again.
  const failure = async () => (await demo.api('inbox.list', {})).items.find(({ kind }) => /fail/.test(kind))
  expect(await failure()).toMatchObject({ title: 'reviewer' })
  await demo.api('crew.repeat', { crew_id: crews[0]?.crew_id as never, only_failed: true })
  await until(async () => (await runsNow()).includes('reviewer completed'))
  await until(async () => (await failure()) === undefined)

  // One agent wrote to another; an account was used up and came back; a phase was completed.
  const delivered = await until(async () => {
    const { messages } = await demo.api('message.list', {})
    const there = messages.filter(({ state, from }) => state === 'delivered' && from !== 'toryo')
    return there.length === 2 && there.map(({ message }) => message).reverse()
  })
  expect(delivered).toEqual([
    'The cart also holds what guests put in: receipts should list guestLines.',
    'Sessions are settled: bearer token, see src/login.js.',
  ])
  // Ren is told what Aoi decided; the phase keeps how far she had come.
  const { decisions: told } = await demo.api('task.show', { task_id: rounding })
  expect(told.map(({ decision }) => decision)).toContain(integers?.decision)
  const saved = async () => (await demo.api('phase.show', { project_id: 'prj_shop', phase: 'phase2' })).saved
  expect((await saved()).map(({ name }) => name)).toEqual(['prices are integers'])
  await until(async () => (await stageOf(demo, 'tsk_release')) === 'review')
  const { events } = await demo.api('event.list', { types: ['engine.paused', 'phase.advanced'] })
  expect(events.filter(({ type }) => type === 'engine.paused')).toMatchObject([{ payload: { engine: 'demo-spare' } }])
  expect(await demo.api('phase.status', { project_id: 'prj_shop' })).toMatchObject({ current: 'phase3' })

  expect(await demo.git('show', 'main:src/price.js')).toContain('12.8')
  const { snapshot } = await demo.api('task.review', { task_id: prices })
  await demo.api('task.verdict', { task_id: prices, decision: 'accept', commit: snapshot?.commit as string })
  await until(async () => (await stageOf(demo, prices)) === 'merged')
  expect(await demo.git('show', 'main:src/price.js')).toContain('tea: 1280')
  // Another agent has waited for that, and follows.
  await until(async () => (await stageOf(demo, labels)) === 'review')

  // All that the scene said is English, but for one task.
  const said = await Promise.all([
    demo.api('run.list', {}),
    demo.api('memory.decision.list', { project_id: 'prj_shop' }),
    demo.api('message.list', {}),
    demo.api('agent.list', {}),
    demo.api('crew.list', {}),
  ])
  expect(JSON.stringify(said)).not.toMatch(JAPANESE)
  const { tasks } = await demo.api('task.list', {})
  expect(tasks.filter(({ title }) => JAPANESE.test(title))).toHaveLength(1)
  expect(await demo.git('grep', '-lP', '[\\x{3040}-\\x{9fff}]').catch(() => '')).toBe('')

  expect(await demo.api('demo.end', {})).toEqual({ ending: true })
  const { stdout, ...end } = await ended
  expect(end).toMatchObject({ code: 0, stderr: expect.not.stringContaining('crashed') })
  expect(stdout).toContain(`Next, with your own agents: \`${program} init\` in a project of yours.`)
  expect(stdout).toContain(`${program} open --db ${demo.place.db}`)
  expect(fs.existsSync(demo.place.home)).toBe(false)
  expect(demo.processes()).toEqual([])
  expect(fs.readdirSync(demo.user)).toEqual([])
  expect(fs.readdirSync(demo.folder)).toEqual(['user'])
})

test('a Japanese demo speaks Japanese, and its question is seen as one', HEAVY, async () => {
  await using demo = new DemoFolder()
  demo.env['LANG'] = 'ja_JP.UTF-8'
  const { child, ended } = demo.start()
  await demo.begun(child.pid)
  const { tab_id, detail } = await question(demo)
  expect(detail).toContain('セッションは Cookie と Bearer トークンのどちらにしますか?')
  await demo.press(tab_id as string, '\r')
  const decisions = await until(async () => {
    const found = (await demo.api('memory.decision.list', { project_id: 'prj_shop' })).decisions
    return found.length === 11 && found
  })
  for (const { decision } of decisions) expect(decision).toMatch(JAPANESE)
  expect(decisions.map(({ decision }) => decision)).toContain('セッション: 署名付き Cookie')
  const { tasks } = await demo.api('task.list', {})
  expect(tasks.filter(({ title }) => !JAPANESE.test(title))).toHaveLength(1)
  await until(async () => (await stageOf(demo, rounding)) === 'review')
  const { evidence } = await demo.api('task.show', { task_id: rounding })
  expect(evidence.map(({ outcome }) => outcome)).toEqual(['passed', 'failed'])
  await until(async () => (await demo.api('overlap.list', {})).overlaps.some(({ kind }) => kind === 'lines'))
  // The second stage comes when the planner was found by its Japanese instructions, too.
  await until(async () =>
    (await demo.api('run.list', { status: 'completed' })).runs.some(({ role }) => role === 'planner'),
  )
  await demo.api('demo.end', {})
  expect((await ended).stdout).toContain('次は、自分のプロジェクトのフォルダーで')
})

test(
  'a demo after one that was killed starts clean and ends one that still runs; it says so when it answers its own question',
  HEAVY,
  async () => {
    await using demo = new DemoFolder()
    const first = demo.start()
    await demo.state(first.child.pid)
    await question(demo)
    first.child.kill('SIGKILL')
    await first.ended
    expect(demo.processes()).not.toEqual([])

    const second = demo.start()
    await demo.state(second.child.pid)
    // Engines of the first look from time to time whether their hub is there.
    const isOfAnother = (line: string) => line.includes('--hub ') && !line.includes(`--hub ${second.child.pid}`)
    await until(() => demo.processes().filter(isOfAnother).length === 0)
    await question(demo)
    expect((await demo.api('tab.list', { all: true })).tabs).toHaveLength(2)
    expect((await demo.api('task.list', {})).tasks).toHaveLength(14)

    // The third is left alone with its question.
    demo.env['TORYO_DEMO_PATIENCE_MS'] = '0'
    const third = demo.start()
    expect(await second.ended).toMatchObject({ code: 0 })
    await demo.begun(third.child.pid)
    const sessions = await until(async () => {
      const { decisions } = await demo.api('memory.decision.list', { project_id: 'prj_shop' })
      return decisions.find(({ decision }) => decision === 'Sessions: signed cookie')
    })
    expect(sessions.reason).toContain('the demo chose it')
    const { tabs } = await demo.api('tab.list', { all: true })
    expect(tabs).toHaveLength(2)
    const sora = tabs.find(({ branch }) => branch === 'feature/login')
    const { screen } = await demo.api('tab.show', { tab_id: sora?.tab_id as string })
    expect(screen?.join('\n')).toContain('the demo answers in your place')
    third.child.kill('SIGINT')
    const deleted = expect.stringContaining('The demo has ended and is deleted.')
    expect(await third.ended).toMatchObject({ code: 0, stdout: deleted })
    expect(demo.processes()).toEqual([])
    expect(fs.readdirSync(demo.folder)).toEqual(['user'])
  },
)

test('a folder in its place that is no demo is left alone', HEAVY, async () => {
  await using demo = new DemoFolder()
  fs.mkdirSync(demo.place.home)
  const mine = path.join(demo.place.home, 'mine')
  fs.writeFileSync(mine, 'dear to me')
  const { ended } = demo.start()
  expect(await ended).toMatchObject({ code: 1, stderr: expect.stringContaining("is not a demo's folder") })
  expect(fs.readFileSync(mine, 'utf8')).toBe('dear to me')
  expect(fs.readdirSync(demo.place.home)).toEqual(['mine'])
})

test(
  'another hub has no such engine and cannot be ended as a demo; it starts one beside itself, which ends with it',
  HEAVY,
  async () => {
    await using demo = new DemoFolder()
    const refusal = async (hub: Awaited<ReturnType<typeof testHub>>, operation: string, input: object = {}) => {
      const response = await hub.fetch(`/api/${operation}`, { method: 'POST', body: JSON.stringify(input) })
      return ((await response.json()) as { error?: { code: string } }).error?.code
    }
    {
      await using hub = await testHub({ demoProgram: path.join(DIST, 'hub.js'), engineEnv: demo.env })
      expect((await hub.api('engine.list', {})).engines.map(({ engine }) => engine)).not.toContain('demo')
      expect(await refusal(hub, 'tab.launch', { engine: 'demo', branch: 'x', directory: hub.home })).toBe(
        'ENGINE_NOT_FOUND',
      )
      expect(await refusal(hub, 'demo.end')).toBe('NOT_A_DEMO')
      expect(await hub.api('hub.status', {})).toMatchObject({ demo: false })

      const [one, other] = await Promise.all([hub.api('demo.start', {}), hub.api('demo.start', {})])
      expect(new URL(one.url).origin).toBe(new URL(other.url).origin)
      expect(one.url).not.toBe(other.url)
      const { origin, hash } = new URL(one.url)
      const body = JSON.stringify({ token: hash.replace('#login=', '') })
      const headers = { 'content-type': 'application/json', origin }
      expect((await fetch(`${origin}/login`, { method: 'POST', headers, body })).status).toBe(200)
      const { url, token } = await demo.state()
      expect(url).toBe(origin)
      const inside = await fetch(`${url}/api/demo.start`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
      })
      expect(await inside.json()).toMatchObject({ error: { code: 'IS_A_DEMO' } })
    }
    await until(() => demo.processes().length === 0)
    expect(fs.readdirSync(demo.folder)).toEqual(['user'])

    await using without = await testHub()
    expect(await refusal(without, 'demo.start')).toBe('DEMO_NOT_STARTED')
  },
)
