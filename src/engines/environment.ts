// What every agent program may see of our environment, and where it finds the MCP server it is given.
import fs from 'node:fs'
import { join } from 'node:path'
import { allowed, EVERYDAY } from '#kernel/processes/environment.ts'
import { TORYO_MCP_CONFIG } from '#system/environment-names.ts'
import { replaceFile } from '#system/files.ts'
import { type EngineRequest, MCP_NAME } from './engine.ts'

const COMMON = [
  ...EVERYDAY,
  'TERM',
  'COLORTERM',
  'NO_COLOR',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  // Without these no program runs on Windows.
  'SystemRoot',
  'SystemDrive',
  'ComSpec',
  'PATHEXT',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'USERNAME',
  'APPDATA',
  'LOCALAPPDATA',
  'ProgramData',
  'ProgramFiles',
  'ProgramFiles(x86)',
]

/** The common variables, those the program needs besides (a name may end in `*`), and what we set. */
export async function environment(
  request: EngineRequest | { source: NodeJS.ProcessEnv },
  names: readonly string[],
  set: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const env = { ...allowed(request.source, [...COMMON, ...names]), ...set }
  return 'mcp' in request && request.mcp ? { ...env, [TORYO_MCP_CONFIG]: await mcpFile(request) } : env
}

/** Writes the server in the form that most programs know, and gives the file's path. */
export function mcpFile(request: EngineRequest): Promise<string> {
  return privateFile(request.folder, 'mcp.json', { mcpServers: { [MCP_NAME]: request.mcp } })
}

export async function privateFile(folder: string, name: string, content: unknown): Promise<string> {
  const file = join(folder, name)
  replaceFile(fs, file, `${JSON.stringify(content, undefined, 2)}\n`, { sync: false })
  return file
}
