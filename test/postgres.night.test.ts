import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { bundleFile } from '../scripts/bundle-file.js'
import { freshPostgres, startPostgres } from './postgres.ts'
import { until } from './until.ts'

test('a fresh database is empty, in UTF-8, answers after the commit, and is separate from another', async () => {
  await using one = await freshPostgres()
  await using two = await freshPostgres()
  await query(one.url, 'create table planks (name text)')
  await query(one.url, "insert into planks values ('棟梁')")

  expect(await query(one.url, 'select name, length(name) as n from planks')).toEqual([{ name: '棟梁', n: 2 }])
  expect(await query(two.url, "select count(*)::int as n from pg_tables where schemaname = 'public'")).toEqual([
    { n: 0 },
  ])
  expect(await query(one.url, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }])
  expect(await query(one.url, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }])
})

test('a dropped database is gone even while somebody is connected', async () => {
  const database = await freshPostgres()
  const guest = new pg.Client({ connectionString: database.url })
  guest.on('error', () => {})
  await guest.connect()
  await database.drop()

  await expect(query(database.url, 'select 1')).rejects.toThrow('does not exist')
})

test('the server asks for the password', async () => {
  const url = new URL(inject('postgresUrl'))
  url.password = 'wrong'
  await expect(query(url.href, 'select 1')).rejects.toThrow('password authentication failed')
})

test('a stopped server has left nothing behind', async () => {
  const server = await startPostgres()
  const [row] = await query(server.url, "select pg_backend_pid() as pid, current_setting('data_directory') as home")
  expect(existsSync(path.dirname(row.home))).toBe(true)
  await server.stop()

  expect(existsSync(path.dirname(row.home))).toBe(false)
  expect(() => process.kill(row.pid, 0)).toThrow('ESRCH')
})

test('the server ends when the process that started it is killed', async () => {
  const program = await bundleFile('test/fixtures/start-postgres.ts')
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  const [row] = await query(line.trim(), "select current_setting('data_directory') as home")
  const witness = new pg.Client({ connectionString: line.trim() })
  witness.on('error', () => {})
  const cut = new Promise<void>(resolve => {
    witness.on('end', () => resolve())
  })
  await witness.connect()
  child.kill('SIGKILL')

  await cut
  await until(() => !existsSync(path.dirname(row.home)))
  await rm(program)
})

async function query(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
