// Phases as people steer them: the real program, the real hub, and an agent over HTTP.
import fs from 'node:fs'
import path from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { Toryo } from './toryo.ts'

/** An agent's client on the hub of this database. */
async function agentOf(toryo: Toryo) {
  const { url } = await toryo.json<{ url: string }>('status')
  const { out } = await toryo.here(['token'])
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${out.trim()}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp?toolsets=phases`), { requestInit: { headers } }),
  )
  return client
}

test('a project goes through its phases by hand', async () => {
  await using toryo = new Toryo()
  const here = fs.realpathSync(toryo.folder)
  const nothing = await toryo.here(['phase', 'status'])
  expect(nothing).toMatchObject({ code: 0, out: '', err: expect.stringContaining('No project works in this folder') })
  await toryo.here(['project', 'add', '店', '--id', 'shop', '--dir', '.'])
  const early = await toryo.here(['phase', 'advance', 'shop'])
  expect(early).toMatchObject({
    code: 1,
    out: '',
    err: 'toryo: phase0 is not in progress; `toryo phase status` shows where the project stands.\n',
  })

  const agent = await agentOf(toryo)
  const injected = await agent.callTool({
    name: 'inject_phase_prompt',
    arguments: { phase: 'phase0', context: { projectPath: here } },
  })
  expect(injected).toMatchObject({ metadata: { phase: 'phase0', version: 1, cached: false } })
  expect(injected.structuredContent).toBeUndefined()
  await agent.close()

  const step = await toryo.json('phase', 'advance', '--summary', 'ok', '--output', 'a.md', '--output', 'b.md')
  expect(step).toMatchObject({ project_id: 'shop', phase: 'phase0', next_phase: 'phase1', missing: [] })
  const failed = await toryo.here(['phase', 'advance', 'shop', '--status', 'failed'], { env: { TORYO_LANG: 'ja' } })
  expect(failed).toMatchObject({ code: 0, out: expect.stringContaining('失敗として記録しました') })
  expect((await toryo.here(['phase', 'retry', 'shop'])).out).toBe('phase1 is in progress again.\n')
  expect(await toryo.here(['phase', 'retry', 'shop'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('phase1'),
  })
  const status = await toryo.here(['phase', 'status', 'shop'])
  expect(status.out).toMatch(/^店 \(shop\)\nPHASE +STATUS +OUTCOME +STARTED/)
  expect(status.out).toMatch(/^phase0 +completed +completed .* ok$/m)
  expect(status.out).toMatch(/^phase1 +in_progress/m)
  expect(await toryo.json('phase', 'status', 'shop')).toMatchObject({ current: 'phase1' })
  expect((await toryo.here(['phase', 'advance', 'shop', '--status', 'done'])).code).toBe(2)
})

test('prompts are read, edited from text, file, stdin and editor, and keep their history', async () => {
  await using toryo = new Toryo()
  const list = await toryo.json<{ prompts: { phase: string; version: number }[] }>('phase', 'prompt', 'list')
  expect(list.prompts.map(prompt => `${prompt.phase} ${prompt.version}`)).toEqual(
    [0, 1, 2, 3, 4].map(number => `phase${number} 1`),
  )
  const shown = await toryo.here(['phase', 'prompt', 'show', 'phase0', '--language', 'ja'])
  expect(shown.out).toMatch(/^# Phase 0: 要件定義・技術設計\n/)
  const edit = ['phase', 'prompt', 'edit', 'phase0']
  expect((await toryo.here([...edit, '--content', '# Two'])).out).toBe('The prompt of phase0 is now at version 2.\n')
  fs.writeFileSync(path.join(toryo.folder, 'three.md'), '# Three\n')
  expect(await toryo.here([...edit, '--content', '@three.md'])).toMatchObject({ code: 0 })
  expect(await toryo.here([...edit, '--content', '-'], { stdin: '# 四\n' })).toMatchObject({ code: 0 })
  const editor = path.join(toryo.folder, 'my editor.sh')
  fs.writeFileSync(editor, '#!/bin/sh\nprintf "%s five\\n" "$1" >> "$2"\n', { mode: 0o755 })
  const env = { EDITOR: `'${editor}' and` }
  expect((await toryo.here(edit, { env })).out).toBe('The prompt of phase0 is now at version 5.\n')
  expect((await toryo.here(['phase', 'prompt', 'show', 'phase0'])).out).toBe('# 四\nand five\n')
  expect((await toryo.here(edit, { env: { EDITOR: 'true' } })).out).toBe('The prompt of phase0 is as it was.\n')
  expect(await toryo.here(edit, { env: { EDITOR: 'false' } })).toMatchObject({ code: 1 })
  expect(await toryo.here(edit, { env: { EDITOR: '', VISUAL: '' } })).toMatchObject({ code: 2 })
  const odd = await toryo.here([...edit, '--content', '---\nrequires: [/etc]\n---\n# X'])
  expect(odd).toMatchObject({ code: 2, err: expect.stringContaining('front matter') })
  const history = await toryo.json<{ prompts: { version: number; title: string }[] }>(
    'phase',
    'prompt',
    'history',
    'phase0',
  )
  expect(history.prompts.map(prompt => [prompt.version, prompt.title])).toEqual([
    [5, '四'],
    [4, '四'],
    [3, 'Three'],
    [2, 'Two'],
    [1, 'Phase 0: Requirements and technical design'],
  ])
  const first = await toryo.json('phase', 'prompt', 'show', 'phase0', '--revision', '1')
  expect(first).toMatchObject({ version: 1, author: 'toryo' })
  const table = await toryo.here(['phase', 'prompt', 'history', 'phase0'])
  expect(table.out).toMatch(/^VERSION +TITLE +AUTHOR +CREATED +SHA-256\n5 /)
  expect((await toryo.here(['phase', 'prompt', 'show', 'phase7'])).code).toBe(2)
})

test('a person sends a project back, adopts a corrected prompt and begins another round', async () => {
  await using toryo = new Toryo()
  await toryo.here(['project', 'add', '店', '--id', 'shop', '--dir', '.'])
  const agent = await agentOf(toryo)
  await agent.callTool({ name: 'inject_phase_prompt', arguments: { phase: 'phase0', project_id: 'shop' } })
  await agent.close()
  const edited = await toryo.here(['phase', 'prompt', 'edit', 'phase0', '--content', '# Two'])
  expect(edited).toMatchObject({
    code: 0,
    out: 'The prompt of phase0 is now at version 2.\n',
    err: 'In progress, and going on with the prompt they began with: shop. `toryo phase refresh <project>` adopts the new one.\n',
  })
  expect((await toryo.here(['phase', 'refresh'])).out).toBe(
    'phase0 goes on with version 2 of its prompt (en; it had 1).\n',
  )
  expect((await toryo.here(['phase', 'refresh', 'shop'])).out).toBe('phase0 has the newest prompt already.\n')

  const own = ['phase', 'prompt', 'edit', 'phase1', '--project', '店', '--content', '# 店の計画', '--language', 'ja']
  expect((await toryo.here(own)).out).toBe('The prompt of phase1 for shop is now at version 1.\n')
  const list = await toryo.here(['phase', 'prompt', 'list', '--project', 'shop', '--language', 'ja'])
  expect(list.out).toMatch(/^PHASE +VERSION +TITLE +OF +AUTHOR/)
  expect(list.out).toMatch(/^phase1 +1 +店の計画 +shop /m)
  expect(list.out).toMatch(/^phase2 .* the hub /m)
  const show = ['phase', 'prompt', 'show', 'phase1', '--project', 'shop', '--language', 'ja']
  expect((await toryo.here(show)).out).toBe('# 店の計画\n')
  const history = await toryo.json('phase', 'prompt', 'history', 'phase1', '--project', 'shop', '--language', 'ja')
  expect(history).toMatchObject({ prompts: [{ version: 1, project_id: 'shop' }] })
  const reset = await toryo.here(['phase', 'prompt', 'reset', 'phase1', '--project', 'shop', '--language', 'ja'])
  expect(reset.out).toBe("shop has the hub's prompt of phase1 again (version 1).\n")
  expect((await toryo.here(show)).out).toMatch(/^# Phase 1: /)

  for (const summary of ['zero', 'one']) await toryo.here(['phase', 'advance', 'shop', '--summary', summary])
  expect(await toryo.here(['phase', 'back', 'phase1', 'shop'])).toMatchObject({ code: 2 })
  const back = await toryo.here(['phase', 'back', 'phase1', 'shop', '--reason', '支払いを忘れた'])
  expect(back.out).toBe('phase1 is in progress again; phase2 will follow once more.\n')
  expect((await toryo.here(['phase', 'status', 'shop'])).out).toMatch(/^phase1 +in_progress .*支払いを忘れた$/m)
  expect(await toryo.here(['phase', 'restart', 'shop'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('Not all phases are completed (phase1 is in progress)'),
  })
  for (const summary of ['one', 'two', 'three', 'four'])
    await toryo.here(['phase', 'advance', 'shop', '--summary', summary])
  expect((await toryo.here(['phase', 'restart', 'shop', '--reason', 'v2'])).out).toBe(
    'Round 2 has begun; phase0 is in progress.\n',
  )
  const steps = await toryo.here(['phase', 'history', 'shop'], { env: { TORYO_LANG: 'ja' } })
  expect(steps.out).toMatch(/^周回 +フェーズ +できごと/)
  expect(steps.out).toMatch(/^2 +phase0 +次の周回 .*v2$/m)
  expect(steps.out).toMatch(/^1 +phase1 +差し戻し .*支払いを忘れた$/m)
  expect(await toryo.json('phase', 'status', 'shop')).toMatchObject({ round: 2, current: 'phase0' })
})
