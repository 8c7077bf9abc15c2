// A day at work, as the dashboard shows it: in both languages, with questions, work under way and work that is done.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TaskStatus } from '#contract/projects.ts'
import type { TestHub } from '../hub.ts'
import { sql } from '../queries-past-the-hub.ts'

type Sample = [title: string, status: TaskStatus, priority: 'urgent' | 'high' | 'medium' | 'low', agent?: string]

const TASKS: Sample[] = [
  ['Health endpoint for the load balancer', 'in_progress', 'high', 'agt_aoi'],
  ['Prices are integers, in the smallest unit of the currency', 'in_progress', 'medium', 'agt_ren'],
  ['Login page with a signed session cookie', 'blocked', 'urgent', 'agt_sora'],
  ['カートの合計金額を丸めるときの端数処理を仕様どおりに直す', 'todo', 'high', 'agt_aoi'],
  ['Split cart.ts into model and view', 'todo', 'medium'],
  ['Write down how releases are made', 'todo', 'low', 'agt_ren'],
  ['商品一覧のページ送り', 'backlog', 'medium'],
  ['Search that finds Japanese words', 'backlog', 'medium'],
  ['Dark theme for the shop', 'backlog', 'low'],
  ['Import of orders from CSV', 'backlog', 'high'],
  ['Fix a typo in the footer', 'done', 'low', 'agt_ren'],
  ['Reject orders of more than 999 pieces', 'done', 'medium', 'agt_aoi'],
  ['Checkout keeps the cart when payment fails', 'done', 'high', 'agt_sora'],
]

export type Shop = { projectId: string; tasks: string[] }

const AGENTS = [
  ['agt_aoi', 'Aoi', 'claude'],
  ['agt_ren', 'Ren', 'codex'],
  ['agt_sora', 'Sora', 'claude'],
] as const

/** The shop, whose tasks are tsk_01 to tsk_13. */
export async function openShop(hub: TestHub): Promise<Shop> {
  await hire(hub)
  return fillShop(hub, 'shop', hub.home, 'tsk_')
}

/** A shop for each test at one hub, with the same agents. */
export async function openShops(hub: TestHub, ...names: string[]): Promise<void> {
  await hire(hub)
  for (const name of names) await openAnother(hub, name)
}

/** Where one is open already: the tasks of `cart` are tsk_cart_01 to tsk_cart_13 of prj_cart. */
export async function openAnother(hub: TestHub, name: string): Promise<Shop> {
  const directory = join(hub.home, name)
  mkdirSync(directory)
  return fillShop(hub, name, directory, `tsk_${name}_`)
}

async function hire(hub: TestHub): Promise<void> {
  for (const [id, name, engine] of AGENTS) await hub.api('agent.add', { id, name, engine })
  const until = Date.now() + 50 * 60_000
  await sql(
    hub,
    `INSERT INTO engine_pauses (engine, until, reason, since, steady_until) VALUES ('codex', ${until}, 'The weekly limit of this account is used up.', ${Date.now()}, ${until + 9e12})`,
  )
}

async function fillShop(hub: TestHub, name: string, directory: string, prefix: string): Promise<Shop> {
  const { project_id } = await hub.api('project.add', { id: `prj_${name}`, name, directory })
  for (const [agent_id] of AGENTS) await hub.api('project.assign', { project_id, agent_id })
  const tasks: string[] = []
  for (const [index, [title, status, priority, agent]] of TASKS.entries()) {
    const { task_id } = await hub.api('task.add', {
      id: `${prefix}${String(index + 1).padStart(2, '0')}`,
      project_id,
      title,
      status,
      priority,
      description: 'Answers 200 with the version and the state of the database.\nNo token is needed.',
      ...(agent !== undefined && { assignee_id: agent }),
    })
    tasks.push(task_id)
  }
  const question =
    'Should the session be a signed cookie or a bearer token? The API is also used by the mobile app, so both would work. ' +
    'A cookie cannot be read by a script, a token is simpler for the app.'
  await sql(
    hub,
    `UPDATE tasks SET blocked_reason = '${question}', updated_at = ${Date.now() - 4 * 60_000} WHERE id = '${prefix}03'`,
  )
  await sql(
    hub,
    `UPDATE tasks SET accepted_at = NULL, reported_at = 1, verified_at = ${Date.now() - 22 * 60_000} WHERE id = '${prefix}13'`,
  )
  await reportWork(hub, project_id, `${prefix}13`)
  await hub.api('task.link', { task_id: `${prefix}05`, depends_on: [`${prefix}04`] })
  await hub.api('task.edit', { task_id: `${prefix}04`, add_labels: ['cart', '会計'] })
  await hub.api('task.move', { task_id: `${prefix}11`, status: 'done' })
  return { projectId: project_id, tasks }
}

/** What an agent reported and checks said of it, as the hub stores it: no repository is needed to draw it. */
async function reportWork(hub: TestHub, project_id: string, task_id: string): Promise<void> {
  const at = Date.now() - 25 * 60_000
  const of = task_id.slice('tsk_'.length).replace(/13$/, '')
  const held = JSON.stringify([{ path: '.env', why: 'secret', bytes: 120 }])
  const flagged = JSON.stringify([{ path: 'test/checkout.test.ts', why: 'test' }])
  await sql(
    hub,
    `INSERT INTO snapshots (id, task_id, project_id, cause, result, summary, at, taken_at, changed_files, held, flagged, cites, included, settled_at)
     VALUES ('snp_${of}13', '${task_id}', '${project_id}', 'report', 'success',
       'The cart is stored before the payment starts, and read again when it fails. Two tests were added.',
       ${at}, ${at}, 3, '${held}', '${flagged}', '[]', '[]', ${at})`,
  )
  const checks: [name: string, required: number, outcome: string, exit: number, ms: number, tail: string][] = [
    ['test', 1, 'passed', 0, 38_200, '42 tests passed'],
    ['types', 1, 'passed', 0, 9100, ''],
    ['lint', 0, 'failed', 1, 4300, 'src/checkout.ts:88:7 Unused variable total\n1 problem'],
  ]
  for (const [name, required, outcome, exit, ms, tail] of checks)
    await sql(
      hub,
      `INSERT INTO evidence (id, task_id, project_id, snapshot_id, name, command, required, tree, place, started_at, began_at, ended_at, duration_ms, outcome, exit_code, tail)
       VALUES ('evd_${of}${name}', '${task_id}', '${project_id}', 'snp_${of}13', '${name}', '["npm","run","${name}"]', ${required}, 'abc', 'here', ${at}, ${at}, ${at}, ${ms}, '${outcome}', ${exit}, '${tail}')`,
    )
}

/** What waits besides: an agent that follows a replaced decision, a crew and a phase that have ended. */
export async function fillNeeds(hub: TestHub): Promise<void> {
  const now = Date.now()
  const why = { project_id: 'prj_shop', reason: 'A script must not read them.' }
  const old = await hub.api('memory.decision.add', {
    ...why,
    decision: 'Sessions are bearer tokens',
    task_ids: ['tsk_01'],
  })
  const supersedes = old.id
  const { passkey } = await hub.api('agent.rotate', { agent_id: 'agt_aoi' })
  const aoi = await hub.connect()
  await aoi.call('get_my_task', { session_token: await aoi.signIn('agt_aoi', passkey, 'prj_shop') })
  await hub.api('memory.decision.add', { ...why, decision: 'Sessions are signed cookies', supersedes })
  await sql(
    hub,
    `INSERT INTO crews (id, description, mode, project_id, created_by, created_at, plans, on_failure)
     VALUES ('grp-1', 'Look at the last commit', 'concurrent', 'prj_shop', 'operator', ${now - 20 * 60_000}, 0, 'stop')`,
  )
  const report = JSON.stringify({
    status: 'success',
    summary: 'No bug found. Two names could be clearer: total and sum in cart.ts.',
  })
  await sql(
    hub,
    `INSERT INTO runs (id, crew_id, project_id, role, engine, depth, created_at, started_at, ended_at, outcome, report)
     VALUES ('run_look', 'grp-1', 'prj_shop', 'reviewer', 'claude', 1, ${now - 20 * 60_000}, ${now - 20 * 60_000}, ${now - 12 * 60_000}, 'completed', '${report}')`,
  )
  const result = JSON.stringify({ status: 'partial', summary: '要件を 12 件にまとめました。残りは決済まわりです。' })
  await sql(
    hub,
    `INSERT INTO phase_transitions (project_id, phase, request, result, next_phase, missing, caller, at, round)
     VALUES ('prj_shop', 'phase0', 'r1', '${result}', 'phase1', '["docs/scope.md"]', 'agent:agt_ren', ${now - 7 * 60_000}, 1)`,
  )
}
