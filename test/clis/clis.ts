// The real agent programs under test: which there are, why one is missing, and the home of a person who uses it with our model.
import fs from 'node:fs'
import path from 'node:path'
import { describe } from 'vitest'
import type { Engine } from '#engines/engine.ts'
import { allEngines } from '#engines/all-engines.ts'
import { fileURLToPath } from 'node:url'
import { CLIS, findCli } from '../../scripts/clis.js'
import { DIST } from '../../scripts/sources.js'

export type CliName = 'claude' | 'codex' | 'gemini' | 'opencode'

const KEY = 'sk-dummy'

/** An MCP server that the person has in every program's own config file, with one tool, `echo`. */
export const OWN_SERVER = 'carpenter'
/** A copy that the person has made of our registered entry: no program knows that it is ours, so all of them start it. */
export const COPIED_SERVER = 'copied'
const COPY = { command: process.execPath, args: [path.join(DIST, 'bridge.js')] }
/** One that a repository brings along, without a person's consent. */
export const PROJECT_SERVER = 'stranger'
const OWN = { command: process.execPath, args: [fileURLToPath(new URL('../fixtures/echo-mcp.js', import.meta.url))] }

const ALL = Object.keys(CLIS) as CliName[]

/** Those that this run is about; `npm test` asks for some only. */
const WANTED = ALL.filter(name => (process.env['TORYO_TEST_CLIS'] ?? ALL.join(',')).split(',').includes(name))

const PROBLEMS = JSON.parse(process.env['TORYO_TEST_CLI_PROBLEMS'] ?? '{}') as Partial<Record<CliName, string>>

export function engineOf(name: CliName): Engine {
  return allEngines({ engines: {} }).get(name) as Engine
}

/** Why it cannot be tested here. */
function problemOf(name: CliName): string | undefined {
  if (!WANTED.includes(name)) return 'this run is about others'
  return PROBLEMS[name] ?? (findCli(name) === undefined ? 'not fetched; `npm run test:clis` does' : undefined)
}

/** The tests for each program. What cannot be tested is skipped, and its name says why. */
export function describeClis(names: readonly CliName[], tests: (name: CliName) => void): void {
  for (const name of names.filter(one => WANTED.includes(one))) {
    const problem = problemOf(name)
    // Only where it could not be fetched, as on a machine without a network.
    describe.skipIf(problem !== undefined)(problem === undefined ? name : `${name}: NOT TESTED, ${problem}`, () => {
      tests(name)
    })
  }
}

export const EVERY_CLI: readonly CliName[] = ALL

/** Those that can be tested here, in this run. */
export const PRESENT: readonly CliName[] = ALL.filter(name => problemOf(name) === undefined)

/** A person's home and environment, as they are after the first steps with these programs. Answers the environment. */
export function settleIn(names: readonly CliName[], place: Place): Record<string, string> {
  const { home } = place
  fs.mkdirSync(path.join(home, 'tmp'), { recursive: true })
  const env = {
    PATH: [...names.map(findCli), path.dirname(process.execPath), '/usr/local/bin:/usr/bin:/bin'].join(':'),
    HOME: home,
    TMPDIR: path.join(home, 'tmp'),
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
  }
  return Object.assign(env, ...names.map(name => HOMES[name](place)))
}

/** `careful`: the person wants to be asked before anything is written or run. */
type Place = { home: string; work: string; url: string; copied?: boolean; careful?: boolean }

const HOMES: Record<CliName, (place: Place) => Record<string, string>> = {
  claude({ home, work, url, copied, careful }) {
    put(home, '.claude.json', {
      hasCompletedOnboarding: true,
      customApiKeyResponses: { approved: [KEY], rejected: [] },
      projects: { [work]: { hasTrustDialogAccepted: true } },
      mcpServers: { [OWN_SERVER]: OWN, ...(copied && { [COPIED_SERVER]: COPY }) },
    })
    // Otherwise the model learns the names of MCP tools only when it searches for them.
    put(home, '.claude/settings.json', {
      env: { ENABLE_TOOL_SEARCH: 'false' },
      permissions: { allow: [`mcp__${OWN_SERVER}`], ...(careful && { defaultMode: 'default' }) },
    })
    return {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '1',
      API_TIMEOUT_MS: '600000',
    }
  },
  codex({ home, work, url, copied, careful }) {
    const copy = `[mcp_servers.${COPIED_SERVER}]
command = ${JSON.stringify(COPY.command)}
args = ${JSON.stringify(COPY.args)}
required = true
`
    put(
      home,
      '.codex/config.toml',
      `model = "gpt-6-sol"
model_provider = "fake"
${careful ? 'approval_policy = "untrusted"\nsandbox_mode = "read-only"\n' : ''}web_search = "disabled"
[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
env_key = "FAKE_API_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
[features]
plugins = false
apps = false
[analytics]
enabled = false
[feedback]
enabled = false
[projects."${work}"]
trust_level = "trusted"
[mcp_servers.${OWN_SERVER}]
command = ${JSON.stringify(OWN.command)}
args = ${JSON.stringify(OWN.args)}
default_tools_approval_mode = "approve"
${copied ? copy : ''}`,
    )
    return { FAKE_API_KEY: KEY }
  },
  gemini({ home, work, url, copied }) {
    put(home, '.gemini/settings.json', {
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 1 },
      model: { name: 'gemini-2.5-pro' },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: true } },
      mcpServers: { [OWN_SERVER]: { ...OWN, trust: true }, ...(copied && { [COPIED_SERVER]: COPY }) },
    })
    put(home, '.gemini/trustedFolders.json', { [work]: 'TRUST_FOLDER' })
    return { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url, GEMINI_TELEMETRY_ENABLED: 'false' }
  },
  opencode({ home, url, copied, careful }) {
    put(home, '.config/opencode/opencode.json', {
      $schema: 'https://opencode.ai/config.json',
      model: 'fake/fake-model',
      small_model: 'fake/fake-model',
      enabled_providers: ['fake'],
      ...(careful && { permission: { edit: 'ask', bash: 'ask' } }),
      mcp: {
        [OWN_SERVER]: { type: 'local', enabled: true, command: [OWN.command, ...OWN.args] },
        ...(copied && { [COPIED_SERVER]: { type: 'local', enabled: true, command: [COPY.command, ...COPY.args] } }),
      },
      provider: {
        fake: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Fake',
          options: { baseURL: `${url}/v1`, apiKey: '{env:FAKE_API_KEY}' },
          models: {
            'fake-model': {
              name: 'Fake',
              tool_call: true,
              limit: { context: 128000, output: 8000 },
              cost: { input: 10, output: 50 },
            },
          },
        },
      },
    })
    return {
      FAKE_API_KEY: KEY,
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    }
  },
}

export function bringServer(repository: string): void {
  put(repository, '.mcp.json', { mcpServers: { [PROJECT_SERVER]: OWN } })
}

function put(home: string, name: string, content: unknown): void {
  const file = path.join(home, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2))
}
