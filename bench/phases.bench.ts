// inject_phase_prompt from cache beside get_project: real hub, real relay, one call at a time, rounds taken in turns.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { locate } from '#client/locate.ts'
import { type TestConnection, type TestHub, testHub } from '#test/hub.ts'
import { freshPostgres, startPostgres } from '#test/postgres.ts'

const ROUNDS = 15
const CALLS = 200
const ALLOWED = 1.3

type Case = { name: string; tool: string; args: Record<string, unknown> }

async function main(): Promise<number> {
  const worst = Math.max(await onSqlite(), await onPostgres())
  console.log(`\nworst ratio ${worst.toFixed(2)} (allowed ${ALLOWED})`)
  return worst <= ALLOWED ? 0 : 1
}

async function onSqlite(): Promise<number> {
  await using hub = await testHub()
  return await compare('SQLite', hub)
}

async function onPostgres(): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'toryo-bench-'))
  try {
    await using server = await startPostgres()
    await using database = await freshPostgres(server.url)
    await using hub = await testHub({ target: locate(database.url, { env: { HOME: home, TORYO_HOME: home } }) })
    return await compare('PostgreSQL', hub)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function compare(title: string, hub: TestHub): Promise<number> {
  const { projectId } = await hub.seed()
  const folder = join(hub.home, 'by-folder')
  mkdirSync(folder)
  const client = await hub.connect({ directory: folder })
  const cases: Case[] = [
    { name: 'get_project', tool: 'get_project', args: { project_id: projectId } },
    { name: 'inject, project_id', tool: 'inject_phase_prompt', args: { phase: 'phase0', project_id: projectId } },
    { name: 'inject, own folder', tool: 'inject_phase_prompt', args: { phase: 'phase0' } },
  ]
  const times = new Map<string, number[]>(cases.map(({ name }) => [name, []]))
  for (const one of cases) await round(client, one, CALLS)
  for (let index = 0; index < ROUNDS; index++)
    // Each in turn goes first, so that no one always follows the same other.
    for (let turn = 0; turn < cases.length; turn++) {
      const one = cases[(index + turn) % cases.length] as Case
      times.get(one.name)?.push(await round(client, one, CALLS))
    }
  console.log(`\n${title}\n${'call'.padEnd(22)}${'µs/call'.padStart(10)}${'ratio'.padStart(8)}`)
  const base = times.get('get_project') ?? []
  let worst = 0
  for (const [name, rounds] of times) {
    // Within one round the machine is the same for all.
    const ratio = median(rounds.map((time, index) => time / (base[index] ?? Number.NaN)))
    worst = Math.max(worst, ratio)
    console.log(`${name.padEnd(22)}${median(rounds).toFixed(0).padStart(10)}${ratio.toFixed(2).padStart(8)}`)
  }
  return worst
}

/** Microseconds per call. */
async function round(client: TestConnection, { tool, args }: Case, calls: number): Promise<number> {
  const began = performance.now()
  for (let index = 0; index < calls; index++) await client.client.callTool({ name: tool, arguments: args })
  return ((performance.now() - began) * 1000) / calls
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

process.exitCode = await main()
