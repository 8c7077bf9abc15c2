// A person's home: the config file of one engine, a repository that brings configuration for agents, and a folder that is none.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function userHome() {
  const home = mkdtempSync(join(tmpdir(), 'toryo-user-'))
  const shop = join(home, 'code', 'shop')
  for (const folder of [shop, join(home, 'code', 'notes'), join(home, '.cache')]) mkdirSync(folder, { recursive: true })
  mkdirSync(join(home, '.codex'))
  writeFileSync(join(home, '.codex', 'config.toml'), 'model = "best"\n')
  execFileSync('git', ['init', '-q', '-b', 'main', shop])
  writeFileSync(join(shop, '.mcp.json'), '{"mcpServers":{"x":{"command":"x"}}}')
  return { home, shop, [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }) }
}
