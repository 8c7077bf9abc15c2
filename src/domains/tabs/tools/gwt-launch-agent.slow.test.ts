import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { databases } from '#test/hub.ts'
import { until } from '#test/bridge/world.ts'
import { answer, becomes, git, launch, TabShop } from '#test/tabs.ts'

test.each(databases)('starts an engine in a terminal on a worktree of its branch (%s)', async database => {
  await using shop = new TabShop({ database })
  const hub = await shop.hub()
  const { body, isError } = await hub.call('gwt_launch_agent', {
    agent_id: 'tui',
    branch: 'feature/auth',
    project_id: shop.projectId,
  })
  expect(isError).toBe(false)
  expect(body).toEqual({ tab_id: expect.stringMatching(/^tab_[0-9a-v]{32,}$/), status: expect.any(String) })
  const tab = String(body['tab_id'])
  await becomes(hub, tab, 'idle')
  const info = answer(await hub.call('gwt_get_tab_info', { tab_id: tab }))
  expect(info).toMatchObject({
    tab_id: tab,
    agent_type: 'tui',
    branch: 'feature/auth',
    status: 'idle',
    session_id: null,
    permission: 'own',
    depth: 1,
    launched_by: 'operator',
  })
  const worktree = String(info['worktree_path'])
  expect(worktree.startsWith(shop.repository)).toBe(false)
  expect(git(worktree, 'branch', '--show-current').trim()).toBe('feature/auth')
  const [start] = shop.notesOf<{ cwd: string; env: Record<string, string>; argv: string[] }>(tab, 'start')
  expect(start?.cwd).toBe(fs.realpathSync(worktree))
  expect(start?.env).toMatchObject({ TORYO_TAB_ID: tab, TERM: 'xterm-256color' })
  // No secret in argv or environment: the ticket is in a file that only its owner can read.
  const config = start?.env['TORYO_MCP_CONFIG'] ?? ''
  expect(fs.statSync(config).mode & 0o777).toBe(0o600)
  const entry = JSON.parse(fs.readFileSync(config, 'utf8')) as {
    mcpServers: Record<string, { env: Record<string, string> }>
  }
  const ticketFile = Object.values(entry.mcpServers)[0]?.env['TORYO_TICKET_FILE'] ?? ''
  expect(fs.statSync(ticketFile).mode & 0o777).toBe(0o600)
  const ticket = fs.readFileSync(ticketFile, 'utf8')
  expect(ticket).toMatch(/^ttk_/)
  expect(JSON.stringify(start)).not.toContain(ticket)
  answer(await hub.call('gwt_stop_tab', { tab_id: tab }))
  expect(fs.existsSync(ticketFile)).toBe(false)
  expect(fs.existsSync(path.join(worktree, 'README.md'))).toBe(true)
})

test('a program that ends at once is answered with its exit code and what it showed last', async () => {
  const broken = 'echo "Loading …"; echo "error: no API key; run login first" >&2; exit 3'
  const engines = {
    broken: { terminal: ['/bin/sh', '-c', broken] },
    killed: { terminal: ['/bin/sh', '-c', 'kill -9 $$'] },
    asking: { terminal: ['/bin/sh', '-c', 'printf "Do you trust this folder? (y/n) "; read answer; exit 7'] },
  }
  await using shop = new TabShop({ config: { engines } })
  const hub = await shop.hub()
  const wish = { project_id: shop.projectId }
  const { body, isError } = await hub.call('gwt_launch_agent', { ...wish, agent_id: 'broken', branch: 'a' })
  expect(isError).toBe(false)
  expect(body).toEqual({
    tab_id: expect.stringMatching(/^tab_/),
    status: 'exited',
    exit_code: 3,
    exit_signal: null,
    last_lines: ['Loading …', 'error: no API key; run login first'],
  })
  // Its tab and its branch are free again, and the command line is answered alike.
  expect(await hub.api('tab.launch', { ...wish, engine: 'broken', branch: 'a' })).toMatchObject({
    status: 'exited',
    end_reason: 'exited',
    exit_code: 3,
    last_lines: ['Loading …', 'error: no API key; run login first'],
  })
  const killed = answer(await hub.call('gwt_launch_agent', { ...wish, agent_id: 'killed', branch: 'b' }))
  expect(killed).toMatchObject({ status: 'exited', exit_signal: 'SIGKILL', last_lines: [] })
  // One that asks is up, and has not ended.
  const asking = answer(await hub.call('gwt_launch_agent', { ...wish, agent_id: 'asking', branch: 'c' }))
  expect(Object.keys(asking)).toEqual(['tab_id', 'status'])
  await becomes(hub, String(asking['tab_id']), 'waiting')
})

test('a project that is a part of its repository has its agents work in that part, and its configuration looked at', async () => {
  await using shop = new TabShop({ files: { 'packages/app/index.js': 'x' } })
  git(shop.repository, 'checkout', '-q', '-b', 'evil')
  fs.writeFileSync(path.join(shop.repository, 'packages/app/.mcp.json'), '{"mcpServers":{}}')
  git(shop.repository, 'add', '-A')
  git(shop.repository, 'commit', '-q', '-m', 'evil')
  git(shop.repository, 'checkout', '-q', 'main')
  const hub = await shop.hub()
  const directory = path.join(shop.repository, 'packages/app')
  await hub.api('project.add', { id: 'app', name: 'app', directory })
  const tab = await launch(hub, 'feature', { project_id: 'app' })
  await becomes(hub, tab, 'idle')
  const info = answer(await hub.call('gwt_get_tab_info', { tab_id: tab }))
  const [start] = shop.notesOf<{ cwd: string }>(tab, 'start')
  expect(start?.cwd).toBe(path.join(fs.realpathSync(String(info['worktree_path'])), 'packages/app'))
  const evil = await hub.call('gwt_launch_agent', { agent_id: 'tui', branch: 'evil', project_id: 'app' })
  expect(evil.body).toMatchObject({ error: true, code: 'TRUST_REQUIRED' })
})

test('tells the agent its first prompt, as one line and without a header', async () => {
  await using shop = new TabShop()
  const hub = await shop.hub()
  const tab = await launch(hub, 'a', { prompt: 'first line\nsecond line\u001B[201~\r' })
  await until(() => shop.lines(tab).length > 0)
  expect(shop.lines(tab)).toEqual(['first line ⏎ second line[201~'])
  await until(async () => answer(await hub.call('gwt_get_tab_info', { tab_id: tab }))['queued_messages'] === 0)
})

test('what the setup command says is told while the launch waits for it, and how it failed afterwards', async () => {
  const gate = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-gate-')), 'open')
  const script = `echo fetching; while [ ! -e '${gate}' ]; do sleep 0.1; done; echo broken; exit 3`
  await using shop = new TabShop({ config: { engines: {}, worktrees: { setup: ['sh', '-c', script] } } })
  const hub = await shop.hub()
  const { client } = await hub.connect()
  const said: { progress: number; message?: string | undefined }[] = []
  const launching = { agent_id: 'tui', branch: 'slow', project_id: shop.projectId }
  const answered = client.callTool(
    { name: 'gwt_launch_agent', arguments: launching },
    { onprogress: ({ progress, message }) => void said.push({ progress, message }) },
  )
  await until(() => said.some(({ message }) => message === 'fetching'))
  // Not of every worktree, but of this one alone; and the launch still waits.
  expect(said.map(({ message }) => message)).toEqual(['starting', 'fetching'])
  fs.writeFileSync(gate, '')
  const { tab_id } = (await answered).structuredContent as { tab_id: string }
  const steps = said.map(({ progress }) => progress)
  expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b))
  const info = await hub.api('tab.show', { tab_id })
  expect(info).toMatchObject({ setup: 'failed', setup_error: 'it ended with exit code 3: broken' })
  const inJapanese = { method: 'POST', headers: { 'accept-language': 'ja' }, body: JSON.stringify({ tab_id }) }
  const shown = await (await hub.fetch('/api/tab.show', inJapanese)).json()
  expect(shown).toMatchObject({ setup_error: '終了コード 3 で終了しました: broken' })
  fs.rmSync(path.dirname(gate), { recursive: true })
})

test('a tab launches tabs of its own project, two deep and no deeper', async () => {
  await using shop = new TabShop()
  const hub = await shop.hub()
  const first = await launch(hub, 'one', {
    prompt:
      '!call gwt_launch_agent {"agent_id":"tui","branch":"two","prompt":"!call gwt_launch_agent {\\"agent_id\\":\\"tui\\",\\"branch\\":\\"three\\"}"}',
  })
  await until(() => shop.notesOf(first, 'calls').length > 0)
  const [call] = shop.notesOf<{ text: string; isError: boolean }>(first, 'calls')
  expect(call?.isError).toBe(false)
  const second = (JSON.parse(call?.text ?? '{}') as { tab_id: string }).tab_id
  expect(answer(await hub.call('gwt_get_tab_info', { tab_id: second }))).toMatchObject({
    depth: 2,
    launched_by: `tab:${first}`,
    project_id: shop.projectId,
  })
  await until(() => shop.notesOf(second, 'calls').length > 0)
  const [refused] = shop.notesOf<{ text: string }>(second, 'calls')
  expect(JSON.parse(refused?.text ?? '{}')).toMatchObject({ error: true, code: 'TAB_DEPTH_REACHED' })
})
