import fs from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BridgeClient } from '#test/bridge/bridge-client.ts'
import { bundlePrograms, World } from '#test/bridge/world.ts'

let programs = ''
beforeAll(async () => {
  programs = await bundlePrograms()
})
afterAll(() => fs.rmSync(programs, { recursive: true, force: true }))

/** Runs inside the bridge, from the moment it reads: everything that could write to stdout by mistake. */
const NOISE = `
setInterval(() => {
  if (process.stdin.listenerCount('data') === 0) return
  console.log('noise'); console.info('noise'); console.table([1]); console.dir({}); console.error('noise')
  process.stdout.write('noise\\n')
  process.emitWarning('noise')
}, 5)`

const CRASH = `${NOISE}
process.on('SIGUSR2', () => { throw new Error('planted') })`

function preload(world: World, code: string): string {
  const file = `${world.folder}/preload.cjs`
  fs.writeFileSync(file, code)
  return `--require ${file} --trace-warnings --trace-deprecation`
}

test('stdout carries JSON-RPC alone, whatever is printed, warned or debugged', async () => {
  await using world = new World(programs)
  const client = world.bridge(undefined, { NODE_OPTIONS: preload(world, NOISE), NODE_DEBUG: '*', DEBUG: '*' })
  await client.handshake()
  for (let i = 0; i < 50; i++) await client.call('slow', { ms: 5 })
  client.child.stdin.end()
  expect((await client.exit).code).toBe(0)
  expect(client.lines.map(line => (JSON.parse(line) as { jsonrpc: string }).jsonrpc)).toEqual(Array(51).fill('2.0'))
  expect(client.stderr).toContain('noise')
})

test('an error that nobody caught goes to stderr and ends the bridge with 70', async () => {
  await using world = new World(programs)
  const client = world.bridge(undefined, { NODE_OPTIONS: preload(world, CRASH) })
  await client.handshake()
  client.child.kill('SIGUSR2')
  expect((await client.exit).code).toBe(70)
  expect(client.stderr).toContain('planted')
  expect(client.lines).toHaveLength(1)
})

test('wrong use is told on stderr alone, with exit 2', async () => {
  await using world = new World(programs)
  for (const args of [['--nope'], ['--db'], ['--db', 'mysql://x'], ['--db', world.folder]]) {
    const client = world.bridge(args)
    expect((await client.exit).code).toBe(2)
    expect(client.lines).toEqual([])
    expect(client.stderr).toMatch(/^.+\n$/)
  }
})

test('help goes to stdout, in the language of the user', async () => {
  await using world = new World(programs)
  const client = new BridgeClient(world.bridgeProgram, ['--help'], { ...world.env, TORYO_LANG: 'ja' })
  client.child.stdout.removeAllListeners('data')
  let text = ''
  client.child.stdout.on('data', (chunk: string) => (text += chunk))
  expect((await client.exit).code).toBe(0)
  expect(text).toContain('使い方: toryo mcp')
})
