import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { cacheFolder } from '../../scripts/clis.js'
import { markedProcesses } from '../scripted.ts'
import { type CliName, describeClis, EVERY_CLI } from './clis.ts'
import { COST } from './model/conversation.ts'
import { diligent, inTurn } from './scripts.ts'
import { CliWorld, until } from './world.ts'

/** What each also reports about itself. */
const TELLS: Record<CliName, object> = {
  claude: { model: expect.stringContaining('claude-'), costUsd: expect.any(Number) },
  codex: { model: undefined, costUsd: undefined },
  gemini: { model: 'gemini-2.5-pro', costUsd: undefined },
  opencode: { model: undefined, costUsd: expect.closeTo(8 * (COST.input * 10e-6 + COST.output * 50e-6), 6) },
}

/** codex has a sandbox, opencode looks at a command's arguments; the shells of the others are bound by the system alone. */
const CONFINES_SHELL: Record<CliName, boolean> = { claude: false, codex: true, gemini: false, opencode: true }

describeClis(EVERY_CLI, cli => {
  test('signs in with its ticket, takes its task, works, reports; and its output tells what it did', async () => {
    await using world = await CliWorld.open(cli, { usual: diligent })
    const worker = await world.employ()
    const { projectId, agentId, taskId } = worker
    const prompt = `You are agent ${agentId} on project ${projectId}.\nDo "everything" $HOME 日本語.`
    const done = await world.run({ prompt, mcp: world.bridge(await world.ticket(worker)) })

    expect(done).toMatchObject({ verdict: { outcome: 'success' }, ending: { cause: 'itself', code: 0 } })
    expect(world.model.asked[0]).toMatchObject({ prompt, said: [prompt], key: 'sk-dummy' })
    const roof = path.join(world.work, 'roof.txt')
    expect(fs.readFileSync(roof, 'utf8')).toBe('alpha\nBETA\n')
    expect(world.model.asked.at(-1)?.results.join('\n')).toContain('shell-says-hi')
    expect((await world.hub.call('get_task', { task_id: taskId })).body).toMatchObject({ task: { status: 'done' } })
    const { body } = await world.hub.call('list_execution_logs', { task_id: taskId })
    expect(body['logs']).toMatchObject([{ agentId, status: 'completed' }])
    expect((await world.hub.call('get_task_context', { task_id: taskId })).text).toContain('The frame stands')

    expect(done.facts).toMatchObject({
      ...TELLS[cli],
      session: expect.stringMatching(/^[\w-]{20,}$/),
      toolCalls: 7,
      denied: 0,
      created: [roof],
      edited: [],
      deleted: [],
      mcpConnected: true,
      usage: { input: 8 * COST.input, cache_read: 0, output: 8 * COST.output, reasoning: 0 },
      lastMessage: 'All done: 屋根ができました',
      trouble: undefined,
      quota: undefined,
      badLines: 0,
    })
    expect(markedProcesses(done.marker)).toEqual([])
    expect(world.model.strange).toEqual([])
  })

  test('goes on with a session, and knows what was said in it', async () => {
    await using world = await CliWorld.open(cli, { usual: ({ said }) => ({ say: `This is turn ${said.length}` }) })
    const first = await world.run({ prompt: 'My name is 山田.' })
    const session = first.facts.session as string
    expect(first.facts).toMatchObject({ session: expect.any(String), lastMessage: 'This is turn 1' })
    const second = await world.run({ prompt: 'What is my name?', session })
    expect(second).toMatchObject({ verdict: { outcome: 'success' }, facts: { session, lastMessage: 'This is turn 2' } })
    expect(world.model.asked.at(-1)?.said).toEqual(['My name is 山田.', 'What is my name?'])
  })

  test('changes nothing when it may only read, and our tools work all the same', async () => {
    await using world = await CliWorld.open(cli, {
      usual: heard =>
        inTurn(
          { write: path.join(world.work, 'x.txt'), content: 'x\n' },
          { shell: `touch '${path.join(world.work, 'y.txt')}'` },
          { call: 'authenticate', args: { agent_id: 'agt_site1', project_id: 'prj_site1' } },
          { say: 'I looked around' },
        )(heard),
    })
    const ticket = await world.ticket(await world.employ())
    const done = await world.run({ prompt: 'go', permission: 'read', mcp: world.bridge(ticket) })
    expect(done).toMatchObject({ verdict: { outcome: 'success' }, facts: { lastMessage: 'I looked around' } })
    expect(done.facts).toMatchObject({ created: [], edited: [], deleted: [], mcpConnected: true })
    expect(world.model.asked.at(-1)?.results.at(-1)).toContain('sess_')
    expect(fs.readdirSync(world.work)).toEqual([])
  })

  test('reaches beyond its folder when it may do everything, and otherwise does not', async () => {
    await using world = await CliWorld.open(cli, {
      usual: heard =>
        inTurn(
          { write: path.join(outside.path, 'written.txt'), content: 'x\n' },
          { shell: `touch '${path.join(outside.path, 'by-shell.txt')}'` },
          { say: 'That is all' },
        )(heard),
    })
    using outside = folderOutside()
    const confined = await world.run({ prompt: 'go', permission: 'edit' })
    expect(confined).toMatchObject({ verdict: { outcome: 'success' }, facts: { created: [], edited: [] } })
    expect(fs.readdirSync(outside.path)).toEqual(CONFINES_SHELL[cli] ? [] : ['by-shell.txt'])
    const free = await world.run({ prompt: 'go', permission: 'full' })
    // gemini's own tools never leave the folder, whatever it is allowed, and say that they were refused.
    const denied = cli === 'gemini' ? 1 : 0
    expect(free).toMatchObject({ verdict: { outcome: 'success' }, facts: { denied } })
    const written = cli === 'gemini' ? [] : ['written.txt']
    expect(fs.readdirSync(outside.path)).toEqual(['by-shell.txt', ...written])
    expect(free.facts.created).toEqual(written.map(name => path.join(outside.path, name)))
  })

  test('is ended with all that its shells have started', async () => {
    const endless = 'tail -f /dev/null & setsid tail -f /dev/null & tail -f /dev/null'
    await using world = await CliWorld.open(cli, { usual: inTurn({ shell: endless }, { say: 'Never' }) })
    const ticket = await world.ticket(await world.employ())
    const { run, done, marker } = await world.start({ prompt: 'go', mcp: world.bridge(ticket) })
    await until(() => tails(marker) === 3)
    const ending = await run.stop()
    expect(ending).toMatchObject({ cause: 'stopped', cleanup: { survivors: [] } })
    expect(ending.cleanup.found).toBeGreaterThanOrEqual(4)
    expect((await done).verdict.outcome).toBe('interrupted')
    expect(markedProcesses(marker)).toEqual([])
  })

  test('waits for a bridge that is slow to start', async () => {
    const slow = path.join(import.meta.dirname, '..', 'fixtures', 'slow-start.js')
    await using world = await CliWorld.open(cli, {
      usual: inTurn({ call: 'recall', args: { query: 'roof' } }, { say: 'Done' }),
    })
    const bridge = world.bridge(await world.ticket(await world.employ()))
    const done = await world.run({ prompt: 'go', mcp: { ...bridge, args: [slow, ...bridge.args] } })
    expect(done).toMatchObject({ verdict: { outcome: 'success' }, facts: { lastMessage: 'Done' } })
    // Signing in comes first: the refusal is ours.
    expect(world.model.asked.at(-1)?.results.join()).toContain('Call authenticate first')
  })

  test('says so, or does its work, when our bridge cannot be started', async () => {
    await using world = await CliWorld.open(cli, { usual: () => ({ say: 'Without tools then' }) })
    const mcp = { command: '/nonexistent/bridge', args: [], env: {} }
    const done = await world.run({ prompt: 'go', mcp })
    if (cli === 'codex') {
      expect(done.verdict.outcome).toBe('error')
      expect(done.errors).toContain('required MCP servers failed to initialize: toryo')
      expect(world.model.asked).toEqual([])
      return
    }
    expect(done).toMatchObject({ verdict: { outcome: 'success' }, facts: { lastMessage: 'Without tools then' } })
    expect(done.facts.mcpConnected).toBe(cli === 'claude' ? false : undefined)
  })
})

function tails(marker: string): number {
  const name = (pid: number) => fs.readFileSync(`/proc/${pid}/comm`, 'latin1').trim()
  return markedProcesses(marker).filter(pid => {
    try {
      return name(pid) === 'tail'
    } catch {
      return false // Just ended.
    }
  }).length
}

/** Not among temporary files: codex lets its sandbox write there. */
function folderOutside(): Disposable & { path: string } {
  const folder = fs.mkdtempSync(path.join(cacheFolder(), 'outside-'))
  return { path: folder, [Symbol.dispose]: () => fs.rmSync(folder, { recursive: true, force: true }) }
}
