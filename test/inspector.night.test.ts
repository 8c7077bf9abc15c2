// The MCP Inspector, against the program as people install it. It asks for a newer Node than we do, so it is no dependency: it
// is installed once into .cache. A machine without network cannot run these tests, and they say so.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { Toryo } from './toryo.ts'

const VERSION = '2.12.0'
const root = path.resolve(import.meta.dirname, '..')
const cache = path.join(root, '.cache', `inspector-${VERSION}`)
const program = path.join(cache, 'node_modules', '.bin', 'mcp-inspector')
const execute = promisify(execFile)

/** Why it is not there, or undefined when it is. */
async function install(): Promise<string | undefined> {
  if (existsSync(program)) return undefined
  mkdirSync(cache, { recursive: true })
  writeFileSync(path.join(cache, 'package.json'), '{ "private": true }')
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  try {
    await execute('npm', ['install', ...flags, `@modelcontextprotocol/inspector@${VERSION}`], { cwd: cache })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const missing = await install()

test('--strict finds nothing to say about any tool', async context => {
  if (missing !== undefined) context.skip(`the MCP Inspector ${VERSION} could not be installed: ${missing}`)
  await using toryo = new Toryo()
  const server = [process.execPath, path.join(root, 'bin', 'toryo.js'), 'mcp', '--db', toryo.db]
  const toolsets = ['--toolsets', 'runner,agent,projects,planning,legacy,crews,phases,memory,tabs']
  const { stdout, stderr } = await execute(
    process.execPath,
    [program, '--cli', '--strict', '--method', 'tools/list', ...server, ...toolsets],
    { env: { ...toryo.env(), HOME: toryo.folder }, cwd: toryo.folder, maxBuffer: 16 * 1024 * 1024 },
  )
  const { tools } = JSON.parse(stdout) as { tools: { name: string }[] }
  expect(tools.length).toBeGreaterThanOrEqual(25)
  expect(stderr).not.toMatch(/error|warning|problem/i)
})
