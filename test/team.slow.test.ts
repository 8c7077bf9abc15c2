// docs/guide/en/team.md, with two homes, a laptop and a build machine on one PostgreSQL.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { DIST } from '../scripts/sources.js'
import { makeCertificate } from './certificate.ts'
import { run as git } from './git.ts'
import { freshPostgres } from './postgres.ts'
import { HEAVY, build } from './processes.ts'
import { Toryo } from './toryo.ts'
import { until } from './until.ts'

/** A person's machine; with an engine, agents can be started there. */
class Machine extends Toryo {
  constructor(name: string, env: NodeJS.ProcessEnv, engines: readonly string[] = []) {
    super()
    const bin = path.join(this.folder, 'bin')
    fs.mkdirSync(bin)
    for (const engine of engines) {
      const work = `exec '${process.execPath}' '${path.join(DIST, 'demo-engine.js')}' --pace 0`
      const script = `#!/bin/sh\ncase "$*" in *--version*) echo 1.0.0;; *) ${work};; esac\n`
      fs.writeFileSync(path.join(bin, engine), script, { mode: 0o755 })
    }
    fs.writeFileSync(path.join(this.folder, '.gitconfig'), `[user]\n\tname = ${name}\n`)
    const system = ['/usr/local/bin', '/usr/bin', '/bin', path.dirname(process.execPath)]
    this.more = { PATH: [bin, ...system].join(path.delimiter), ...env }
  }

  /** The commands on the page. */
  async types(line: string, cwd = this.folder): Promise<string> {
    const { code, out, err } = await this.run(line.split(' '), { cwd })
    expect({ line, code, out, err }).toMatchObject({ code: 0 })
    return out
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    if (this.more['TORYO_DB'] !== undefined) await this.run(['stop'])
    await super[Symbol.asyncDispose]()
  }

  secret(name: string, text: string): string {
    const file = path.join(this.folder, name)
    fs.writeFileSync(file, text, { mode: 0o600 })
    return file
  }
}

test('two people on one PostgreSQL: one hands out work, the other accepts it', HEAVY, async () => {
  build()
  await using database = await freshPostgres()
  const shared = { TORYO_DB: database.url }
  await using aoi = new Machine('Aoi', shared, ['claude'])
  await using ken = new Machine('Ken', shared)
  const shop = path.join(fs.realpathSync(aoi.folder), 'shop')
  fs.mkdirSync(shop)
  fs.writeFileSync(path.join(shop, 'go.mod'), 'module shop\n')
  git(shop, ['init', '-q', '-b', 'main'])
  git(shop, ['add', '.'])
  git(shop, ['commit', '-q', '-m', 'A shop'])
  expect(await aoi.types('whoami')).toMatch(/name +Aoi\n[\s\S]*in events +operator:Aoi/)
  expect(await ken.types('whoami')).toMatch(/name +Ken\n/)
  expect(await aoi.types('init --yes', shop)).toContain('added: agent Claude (claude)')
  for (const check of ['test', 'vet']) await aoi.types(`project check remove ${check} --project shop`)
  await aoi.types('project check add test --project shop -- true')
  expect(await aoi.types('task add Cart --start', shop)).toBe('Added "Cart" (shop-1). Claude does it.\n')
  await aoi.types('stop')
  const { cert, key } = makeCertificate(aoi.folder)
  const tls = ['--host', '0.0.0.0', '--tls-cert', cert, '--tls-key', key, '--allow-host', '127.0.0.1']
  const up = aoi.start('up', '--port', '0', '--no-register', '--no-open', ...tls)
  const [, port = ''] = await up.output(/listens on https:\/\/127\.0\.0\.1:(\d+)/)

  // On the other machine, which has neither the folder nor an engine.
  await until(async () => (await ken.types('inbox')).includes('toryo task review shop-1'))
  const review = await ken.types('task review shop-1')
  expect(review).toMatch(/test +passed/)
  expect(review).not.toContain('diff --git')
  expect(await ken.types('task review shop-1 --accept')).toContain('Accepted shop-1.')
  await until(async () => (await ken.json<{ stage: string }>('task', 'show', 'shop-1')).stage === 'merged')
  expect(await aoi.types('task show shop-1')).toMatch(/Verdicts\n +accepted · Ken ·/)
  await until(() => /^Merge shop-1: Cart$/m.test(git(shop, ['log', '--format=%s', 'main'])))

  // A laptop without the database, and a Runner on a build machine.
  const url = `https://127.0.0.1:${port}`
  const trusting = { NODE_EXTRA_CA_CERTS: cert }
  await using laptop = new Machine('Mika', trusting)
  const { token } = await aoi.json<{ token: string }>('token', 'create', 'laptop')
  const far = `--url ${url} --token-file ${laptop.secret('laptop.token', token)}`
  expect(await laptop.types(`task list ${far}`)).toMatch(/shop-1 +Cart +done +merged/)
  expect(await laptop.types(`whoami ${far}`)).toMatch(/in events +operator:Mika\n +token +laptop\n/)
  await aoi.types('token revoke laptop')
  expect((await laptop.run(`task list ${far}`.split(' '))).code).toBe(4)
  expect(fs.existsSync(laptop.db)).toBe(false)

  await using box = new Machine('Box', trusting, ['codex'])
  const runner = await aoi.json<{ token: string }>('runner', 'token', 'build-box')
  const started = box.start('runner', '--url', url, '--token-file', box.secret('box.token', runner.token))
  await until(async () => /build-box +active .* codex/.test(await ken.types('runner list')))
  started.child.kill('SIGINT')
  expect(await started.ended).toBe(0)
  await ken.types('stop')
  up.child.kill('SIGINT')
  expect(await up.ended).toBe(0)
})
