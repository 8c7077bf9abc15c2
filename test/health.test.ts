// What the hub says of itself and of the engines' config files, without changing anything.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databases, testHub } from './hub.ts'
import { sql } from './queries-past-the-hub.ts'

test.each(databases)('the config files are looked at and left as they are (%s)', async database => {
  const home = mkdtempSync(join(tmpdir(), 'toryo-health-'))
  try {
    const file = join(home, '.codex', 'config.toml')
    mkdirSync(join(home, '.codex'))
    writeFileSync(file, 'model = "best"\n')
    await using hub = await testHub({ database, engineEnv: { HOME: home, PATH: process.env['PATH'] } })
    const { files, problem } = await hub.api('registration.list', {})
    expect(problem).toBeNull()
    const codex = files.find(({ engine }) => engine === 'codex')
    expect(codex).toMatchObject({ file, state: 'added', warning: false })
    expect(codex?.diff).toContain('+ [mcp_servers.gwt-agent-bridge]')
    expect(readFileSync(file, 'utf8')).toBe('model = "best"\n')
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})

test.each(databases)(
  'the doctor says what is fine and what is to be looked at, with a next step (%s)',
  async database => {
    const home = mkdtempSync(join(tmpdir(), 'toryo-health-'))
    try {
      await using hub = await testHub({ database, engineEnv: { HOME: home, PATH: process.env['PATH'] } })
      const until = Date.now() + 3600_000
      await sql(
        hub,
        `INSERT INTO engine_pauses (engine, until, reason, since, steady_until) VALUES ('codex', ${until}, 'used up', 0, ${until + 9e12})`,
      )
      const { ok, findings } = await hub.api('doctor.run', {})
      expect(ok).toBe(true)
      const of = (check: string) => findings.find(finding => finding.check === check)
      expect(of('node')).toMatchObject({ level: 'ok', fix: null })
      expect(of('git')).toMatchObject({ level: 'ok' })
      expect(of('database')).toMatchObject({ level: 'ok' })
      expect(of('pause.codex')).toMatchObject({ level: 'warn', fix: 'Run: toryo engine resume codex' })
      expect(of('pause.codex')?.message).toContain('used up')
      expect(of('runners')).toMatchObject({ level: 'warn' })
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  },
)
