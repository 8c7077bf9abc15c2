// Which database a command means: --db, TORYO_DB, "db" in the configuration, the home's own; and a change that may be a slip.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { freshPostgres } from './postgres.ts'
import { build, HEAVY } from './processes.ts'
import { Toryo } from './toryo.ts'

const configure = (toryo: Toryo, config: object) => {
  fs.mkdirSync(toryo.home, { recursive: true, mode: 0o700 })
  fs.writeFileSync(path.join(toryo.home, 'config.json'), JSON.stringify(config), { mode: 0o600 })
}

test('"db" of the configuration is the database of every command, and --db comes before it', HEAVY, async () => {
  build()
  await using toryo = new Toryo()
  configure(toryo, { db: 'team.db' })
  await toryo.json('project', 'add', 'in the team')
  const team = path.join(toryo.home, 'team.db')
  expect(await toryo.json('status')).toMatchObject({ db: team })
  expect((await toryo.json<{ projects: unknown[] }>('project', 'list', '--db', toryo.db)).projects).toEqual([])
  expect((await toryo.json<{ projects: unknown[] }>('project', 'list')).projects).toHaveLength(1)
  await toryo.here(['stop', '--db', team])
})

test('a command that starts a second world by a forgotten database says so once, both ways', HEAVY, async () => {
  build()
  await using toryo = new Toryo()
  await using database = await freshPostgres()
  const shown = expect.stringMatching(/This hub uses .*toryo\.db; the last one used postgres:\/\/\S+, whose projects/)
  const withPostgres = { env: { TORYO_DB: database.url } }
  expect((await toryo.here(['project', 'list'], withPostgres)).err).not.toContain('the last one')
  try {
    expect(await toryo.here(['project', 'list'])).toMatchObject({ code: 0, err: shown })
    expect((await toryo.here(['project', 'list'])).err).not.toContain('the last one')
    await toryo.here(['stop'], withPostgres)
    const back = await toryo.here(['project', 'list'], { env: { ...withPostgres.env, LANG: 'ja_JP.UTF-8' } })
    expect(back.err).toMatch(/このハブは postgres:.*前回のデータベースは .*toryo\.db/)
    expect(back.err).toContain(`toryo export --db ${toryo.db}`)
  } finally {
    await toryo.here(['stop'], withPostgres)
  }
})

test('`toryo up` says it, too', HEAVY, async () => {
  build()
  await using toryo = new Toryo()
  await toryo.here(['project', 'list', '--db', 'x.db'])
  const up = toryo.start('up', '--port', '0', '--no-register', '--no-runner')
  await up.output(/listens on/)
  expect(up.seen.err).toContain('; the last one used ')
  up.child.kill('SIGINT')
  expect(await up.ended).toBe(0)
})

test('a database that is refused is refused in Japanese, too, by a command and by `toryo up`', HEAVY, async () => {
  build()
  await using toryo = new Toryo()
  toryo.more = { LANG: 'ja_JP.UTF-8' }
  fs.mkdirSync(toryo.home, { mode: 0o700 })
  const foreign = path.join(toryo.home, 'notes.db')
  fs.writeFileSync(foreign, 'これはメモです。'.repeat(100))
  const refused = expect.stringMatching(
    /notes\.db は SQLite データベースではありません。何も変更していません。`toryo restore/,
  )
  expect(await toryo.here(['project', 'list', '--db', foreign])).toMatchObject({ code: 1, err: refused })
  expect(await toryo.run(['up', '--port', '0', '--db', foreign])).toMatchObject({ code: 1, err: refused })
  const open = await toryo.run(['up', '--host', '0.0.0.0', '--no-register'])
  expect(open).toMatchObject({
    code: 1,
    err: expect.stringContaining('は他のマシンから届くアドレスです。--tls-cert と'),
  })
})
