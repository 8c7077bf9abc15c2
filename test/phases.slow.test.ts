// Phases from end to end: over both eras of the protocol, and as an agent program meets them, through the real bridge.
import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { testHub } from './hub.ts'
import { Toryo } from './toryo.ts'

const context = { projectPath: import.meta.dirname }
const CALLS: [tool: string, args: Record<string, unknown>, topLevel: string[]][] = [
  ['inject_phase_prompt', { phase: 'phase0', context }, ['metadata']],
  ['save_phase_result', { phase: 'phase0', result: { checkpoint: 'c', data: {} }, context }, ['savedAt']],
  ['get_phase_context', { phase: 'phase0', context }, ['context']],
  [
    'transition_to_next_phase',
    { currentPhase: 'phase0', result: { status: 'completed' }, context },
    ['nextPhase', 'transitionedAt'],
  ],
]

test.each(['legacy', 'auto'] as const)('the fields of the design stand at the top level (%s)', async mode => {
  await using hub = await testHub()
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${hub.token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp?toolsets=phases`), { requestInit }))
  for (const [name, args, topLevel] of CALLS) {
    const { content, structuredContent, isError: _, ...rest } = await client.callTool({ name, arguments: args })
    expect(content).toMatchObject([{ type: 'text', text: expect.any(String) }])
    expect(Object.keys(rest)).toEqual(expect.arrayContaining(topLevel))
    // What clients that know only the structured result show to their models.
    const told = structuredContent as Record<string, unknown> | undefined
    if (name === 'inject_phase_prompt') expect(told).toBeUndefined()
    else for (const field of topLevel) expect(told?.[field]).toEqual((rest as Record<string, unknown>)[field])
  }
  await client.close()
})

test('an agent started in a folder is in its project, with prompts from the source in its environment', async () => {
  const source = createServer((_request, response) =>
    response.end(JSON.stringify({ phase: 'phase0', version: 41, content: '# 遠くから' })),
  )
  await new Promise<void>(resolve => source.listen(0, '127.0.0.1', resolve))
  const { port } = source.address() as AddressInfo
  await using toryo = new Toryo()
  const folder = path.join(fs.realpathSync(toryo.folder), '店')
  fs.mkdirSync(folder)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [path.resolve(import.meta.dirname, '..', 'bin', 'toryo.js'), 'mcp', '--db', toryo.db],
    env: toryo.env({ PROMPT_API_URL: `http://127.0.0.1:${port}` }) as Record<string, string>,
    cwd: folder,
    stderr: 'ignore',
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const answer = await client.callTool({ name: 'inject_phase_prompt', arguments: { phase: 'phase0' } })
  expect(answer).toMatchObject({ metadata: { phase: 'phase0', version: 41, cached: false } })
  await client.close()
  source.close()
  const { projects } = await toryo.json<{ projects: object[] }>('project', 'list')
  expect(projects).toMatchObject([{ name: '店', working_directory: folder }])
})
