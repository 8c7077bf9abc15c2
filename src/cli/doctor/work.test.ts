import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '#client/api.ts'
import { testHub } from '#test/hub.ts'
import type { Connection } from '../connect.ts'
import { workFindings } from './work.ts'

test('says which agents have no program, whose PATH lacks one, and which projects have no folder', async () => {
  const config = { engines: { mine: { headless: [process.execPath] }, other: { headless: ['only-in-your-shell'] } } }
  await using hub = await testHub({ config })
  const there = path.join(hub.home, 'there')
  const gone = path.join(hub.home, 'gone')
  for (const folder of [there, gone]) fs.mkdirSync(folder)
  await hub.api('project.add', { id: 'prj_there', name: 'there', directory: there })
  await hub.api('project.add', { id: 'prj_gone', name: 'gone', directory: gone })
  await hub.api('project.add', { id: 'prj_away', name: 'away', directory: gone })
  await hub.api('project.archive', { project_id: 'prj_away' })
  fs.rmdirSync(gone)
  for (const [name, engine] of [
    ['Aoi', 'mine'],
    ['Ken', 'nonsense'],
    ['Mio', 'nonsense'],
    ['Yui', 'other'],
    ['Ren', 'off'],
    ['Nao', 'copilot'],
  ] as const)
    await hub.api('agent.add', { id: `agt_${name}`, name, engine })
  await hub.api('agent.disable', { agent_id: 'agt_Ren' })
  const tools = path.join(hub.home, 'tools')
  fs.mkdirSync(tools)
  fs.writeFileSync(path.join(tools, 'only-in-your-shell'), '', { mode: 0o755 })

  const client = createClient({ url: hub.url, token: hub.token }) as Connection
  const findings = await workFindings(client, hub.target, { env: { PATH: tools } })
  expect(findings.map(({ check, level, text }) => `${level} ${check}: ${text.en}`)).toEqual([
    'warn path: On your PATH but not on that of the hub, which was started elsewhere: other',
    'warn agents.nonsense: Cannot be started, since nonsense is not found: Ken, Mio',
    'warn agents.copilot: Cannot be started, since copilot is not found: Nao',
    `warn project.prj_gone: The folder of gone is not there: ${gone}`,
  ])
  for (const { fix } of findings) expect(fix?.ja).toBeTruthy()
  const copilot = findings.find(({ check }) => check === 'agents.copilot')
  expect(copilot?.fix?.en).toContain('npm install -g @github/copilot')
})
