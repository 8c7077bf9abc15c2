// Crews and runs from the command line: real programs, a real background hub, the scripted engine as the agents.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { scriptedConfig } from './crews.ts'
import { build, HEAVY, until } from './processes.ts'
import { Toryo } from './toryo.ts'

function workshop(): Toryo {
  build()
  const toryo = new Toryo()
  fs.mkdirSync(toryo.home, { recursive: true, mode: 0o700 })
  fs.writeFileSync(path.join(toryo.home, 'config.json'), JSON.stringify(scriptedConfig()))
  return toryo
}

type Run = { run_id: string; crew_id: string; role: string; status: string; result: { summary: string } | null }

test('a crew is started, watched and shown', HEAVY, async () => {
  await using toryo = workshop()
  const folder = path.join(toryo.home, 'work')
  fs.mkdirSync(folder)
  const run = await toryo.here([
    'crew',
    'run',
    '--role',
    'worker',
    '--role',
    'worker',
    '--dir',
    folder,
    '!say well done',
  ])
  expect(run.code).toBe(0)
  expect(run.out).toMatch(/worker +completed/)
  expect(run.out).toContain('well done')
  expect(run.err).toMatch(/^grp-\S+: 2 runs$/m)
  expect(run.err).toMatch(/worker \(run_\S+\): completed/)

  const [crew] = (await toryo.json('crew', 'list'))['crews'] as { crew_id: string }[]
  expect(crew).toMatchObject({ mode: 'concurrent', runs: 2, open: 0, description: '!say well done' })
  const shown = await toryo.here(['crew', 'show', crew?.crew_id ?? ''])
  expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('well done') })

  // Its engine says nothing of caches: unknown, and not zero.
  const { work } = await toryo.json<{ work: { work_id: string }[] }>('run', 'list')
  const id = work[0]?.work_id ?? ''
  const used = async (lang: string) => (await toryo.here(['run', 'show', id], { env: { LANG: lang } })).out
  expect(await used('en_US.UTF-8')).toMatch(
    /^ *Tokens +10 input, – cache read, – cache write, 2 output \(– reasoning\)\n *Cost +\$0\.0010$/im,
  )
  expect(await used('ja_JP.UTF-8')).toMatch(
    /^ *トークン +入力 10、キャッシュ読み取り –、キャッシュ書き込み –、出力 2 \(うち推論 –\)\n *費用 +\$0\.0010$/m,
  )
  const list = (await toryo.here(['run', 'list'])).out
  expect(list).toMatch(/INPUT → OUTPUT +COST$/m)
  expect(list).toMatch(/10 → 2 +\$0\.0010$/m)

  const staged = await toryo.here(
    ['crew', 'run', '--stage', 'worker,worker', '--stage', 'worker', '--timeout', '5m', '--json', '!prompt'],
    { cwd: folder },
  )
  const { runs } = JSON.parse(staged.out) as { runs: Run[] }
  expect(runs.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])
  expect(runs[2]?.result?.summary).toContain('# Results of the stage before')
  expect(staged).toMatchObject({ code: 0, err: '' })

  const failed = await toryo.here(['crew', 'run', '--role', 'worker', '--dir', folder, '!fail no luck'])
  expect(failed).toMatchObject({ code: 1, out: expect.stringContaining('no luck') })
})

test('watching a crew shows what each does last, a line for each change in a pipe', HEAVY, async () => {
  await using toryo = workshop()
  const gate = path.join(toryo.home, 'gate')
  const watching = toryo.start('crew', 'run', '--role', 'worker', `!say 図面を読む\n!wait ${gate}\n!say built`)
  await until(() => watching.seen.err.includes('図面を読む'))
  expect(watching.seen.err).toMatch(/^worker \(run_\S+\): 図面を読む$/m)
  // The same action is said once.
  const { work } = await toryo.json<{ work: { last_action: string }[] }>('run', 'list')
  expect(work).toMatchObject([{ last_action: '図面を読む' }])
  fs.writeFileSync(gate, '')
  expect(await watching.ended).toBe(0)
  expect(watching.seen.err.match(/図面を読む/g)).toHaveLength(1)
  expect(watching.seen.err).not.toContain('⚒')
})

test('runs are listed, shown, read and stopped', HEAVY, async () => {
  await using toryo = workshop()
  const started = await toryo.json(
    'crew',
    'run',
    '--role',
    'worker',
    '--detach',
    '!say 途中\n!sleep 300\n!say on\n!hang',
  )
  const [{ run_id: id } = { run_id: '' }] = started['runs'] as { run_id: string }[]
  await until(async () => String((await toryo.json('run', 'show', id))['last_message']) === 'on')
  const listed = (await toryo.json('run', 'list', '--status', 'running'))['work'] as { work_id: string }[]
  expect(listed.map(run => run.work_id)).toEqual([id])
  const log = await toryo.here(['run', 'logs', id])
  expect(log).toMatchObject({ code: 0, out: expect.stringContaining('途中') })
  const following = toryo.start('run', 'logs', '-f', id)
  await until(() => following.seen.out.includes('● on'))
  const stopped = await toryo.here(['run', 'stop', id])
  expect(stopped).toMatchObject({ code: 0, out: `${id} has ended: cancelled.\n` })
  expect(await following.ended).toBe(0)
  const shown = await toryo.here(['run', 'show', id])
  expect(shown.out).toMatch(/ended as +stopped/)
  expect(await toryo.here(['run', 'show', 'run_nobody'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('Run run_nobody not found. Use `toryo run list` to list them.'),
  })
})

test(
  'watching a crew and reading a run go on after the hub was killed, to the end that the next hub records',
  HEAVY,
  async () => {
    await using toryo = workshop()
    const watching = toryo.start('crew', 'run', '--role', 'worker', '!say on\n!hang')
    await until(() => /worker \(run_\S+\): running/.test(watching.seen.err))
    const [, id = ''] = /\((run_\S+)\): running/.exec(watching.seen.err) ?? []
    const reading = toryo.start('run', 'logs', '-f', id)
    await until(() => reading.seen.out.includes('● on'))
    const { pid } = await toryo.json<{ pid: number }>('status')
    process.kill(pid, 'SIGKILL')
    expect(await watching.ended).toBe(1)
    expect(watching.seen.err).toMatch(/worker \(run_\S+\): failed/)
    expect(watching.seen.out).toContain('failed')
    expect(await reading.ended).toBe(0)
  },
)

test('a crew is stopped as a whole, and deleted then', HEAVY, async () => {
  await using toryo = workshop()
  const started = await toryo.json(
    ...['crew', 'run', '--stage', 'worker,worker', '--stage', 'worker', '--continue', '--detach', '!say on\n!hang'],
  )
  const { crew_id } = started['crew'] as { crew_id: string }
  const [first] = started['runs'] as Run[]
  await until(async () => String((await toryo.json('run', 'show', first?.run_id ?? ''))['last_message']) === 'on')
  const busy = await toryo.here(['crew', 'delete', crew_id])
  expect(busy).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`\`toryo crew stop ${crew_id}\``) })

  const stopped = await toryo.json('crew', 'stop', crew_id)
  expect((stopped['runs'] as Run[]).map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled'])
  // The last stage never began, although the plan was to go on after a failure.
  const last = (stopped['runs'] as (Run & { started_at: string | null })[]).at(-1)
  expect(last?.started_at).toBeNull()
  expect(await toryo.here(['crew', 'stop', crew_id], { env: { TORYO_LANG: 'ja' } })).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringContaining('実行中のものはありません'),
  })
  expect(await toryo.here(['crew', 'delete', crew_id])).toMatchObject({ code: 0, out: `Deleted ${crew_id}.\n` })
  expect((await toryo.json('crew', 'show', crew_id))['crew']).toMatchObject({ status: 'deleted' })
  for (const verb of ['stop', 'delete'])
    expect(await toryo.here(['crew', verb, 'grp-0-0'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Crew grp-0-0 not found'),
    })

  // All slots are free again.
  const again = await toryo.here(['crew', 'run', ...Array(8).fill('--role=worker'), '!say done'])
  expect(again).toMatchObject({ code: 0 })
})

test('wrong use is told', HEAVY, async () => {
  await using toryo = workshop()
  const cases: [string[], string][] = [
    [['crew', 'run', 'x'], 'Name at least one role'],
    [['crew', 'run', '--role', 'a', '--stage', 'b', 'x'], 'exclude each other'],
    [['crew', 'run', '--role', 'a', '  '], 'The prompt is empty'],
    [['crew', 'run', '--role', 'a', '--timeout', 'soon', 'x'], '90s, 20m or 2h, not soon'],
  ]
  for (const [args, sentence] of cases)
    expect(await toryo.here(args)).toMatchObject({ code: 2, err: expect.stringContaining(sentence) })
  expect(await toryo.here(['crew', 'run', '--role', 'cook', 'x'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('Role cook not found'),
  })
  const { out } = await toryo.here(['doctor', '--json'])
  const { findings } = JSON.parse(out) as { findings: { check: string; level: string; message: string }[] }
  expect(findings).toContainEqual(expect.objectContaining({ check: 'role.worker', level: 'ok' }))
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 'role.lost', level: 'warn', message: expect.stringContaining('/nowhere/at-all') }),
  )
})

test(
  'a folder that tells agents what to do is trusted from the command line before a crew works there',
  HEAVY,
  async () => {
    await using toryo = workshop()
    const folder = path.join(toryo.folder, "it's mine")
    fs.mkdirSync(path.join(folder, '.github', 'hooks'), { recursive: true })
    fs.writeFileSync(path.join(folder, '.github', 'hooks', 'start.json'), '{}')
    const crew = ['crew', 'run', '--role', 'worker', '--dir', folder, '!say well done']
    const refused = await toryo.here(crew)
    expect(refused).toMatchObject({ code: 4, out: '' })
    expect(refused.err).toContain('.github/hooks/start.json')
    // What it says can be pasted.
    const [, dir] = /toryo project trust --dir ('.*')`/.exec(refused.err) ?? []
    expect(dir).toBe(`'${folder.replaceAll("'", `'\\''`)}'`)
    const trusted = await toryo.here(['project', 'trust', '--dir', folder], { env: { TORYO_LANG: 'ja' } })
    expect(trusted).toMatchObject({
      code: 0,
      out: expect.stringMatching(/信頼しました:\n {2}\.github\/hooks\/start\.json/),
    })
    expect(await toryo.here(crew)).toMatchObject({ code: 0, out: expect.stringContaining('well done') })
    fs.writeFileSync(path.join(folder, '.env'), 'X=1')
    expect(await toryo.here(crew)).toMatchObject({ code: 4, err: expect.stringContaining('(.env)') })
    const nothing = await toryo.here(['project', 'trust', '--dir', toryo.folder])
    expect(nothing).toMatchObject({ code: 0, out: '', err: expect.stringContaining('no agent configuration') })
  },
)
