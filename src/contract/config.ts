// What people set in config.json, with its defaults. The file itself is read by kernel/config.ts.
import { z } from 'zod'
import { ENGINE_IDS } from './known-engines.gen.ts'
import { Permission, TabPermission } from './permission.ts'
import { CheckName } from './check-name.ts'
import { GivenToolsets } from './toolsets.ts'

const argv = z.array(z.string().min(1)).min(1)

const Engine = z
  .object({
    headless: argv
      .optional()
      .describe('The program and its arguments, {model} for the model; the prompt comes on stdin'),
    terminal: argv.optional().describe('The program for a terminal'),
    resume: argv
      .optional()
      .describe('The program for a terminal that goes on with a conversation, {session} for its name'),
    version: argv.optional().describe('Prints its version'),
    output: z
      .enum([...ENGINE_IDS, 'text'])
      .default('text')
      .describe('Whose form of output it writes'),
    models: z.array(z.string()).default(['*']).describe('Names of models it takes; * stands for anything'),
    env: z.array(z.string()).default([]).describe('Environment variables it may see besides the usual ones'),
    projectConfig: z
      .array(
        z.string().refine(isInside, {
          message: 'name a path inside of the directory, such as .mine or .mine/hooks',
          params: { ja: '.mine や .mine/hooks のような、ディレクトリー内のパスにしてください' },
        }),
      )
      .default([])
      .describe('Paths in a directory from which it takes hooks, servers or settings; Toryo asks for trust in them'),
  })
  .strict()
  .refine(engine => engine.headless || engine.terminal, {
    message: 'an engine needs headless or terminal',
    params: { ja: 'headless または terminal が必要です' },
  })

const Role = z
  .object({
    id: z.string().min(1).max(100),
    name: z.string().optional(),
    engine: z.string().min(1),
    model: z.string().min(1).describe("A model of this engine; default for the engine's own choice"),
    instructions: z.string().optional(),
    permission: Permission.default('edit').describe(
      'read: look only; edit: change files and run commands; full: never ask',
    ),
    toolsets: GivenToolsets.default([]).describe('Offered to its runs besides what every run has'),
  })
  .strict()

const Prompts = z
  .object({
    url: z
      .url({ protocol: /^https?$/, message: 'use an address that begins with http:// or https://' })
      .optional()
      .describe('Where phase prompts come from: GET {url}/prompts/{phase}'),
    tokenFile: z.string().min(1).optional().describe('Absolute path of a file that holds the token of that source'),
  })
  .strict()

const Check = z
  .object({
    command: argv.describe('The program and its arguments; it passes when it ends with 0'),
    required: z.boolean().default(true).describe('Whether work that does not pass it goes back to its agent'),
    minutes: z.number().positive().max(1440).default(10).describe('How long it may take'),
  })
  .strict()

const Worktrees = z
  .object({
    setup: argv.optional().describe('Prepares every new worktree: the program and its arguments'),
    setupMinutes: z.int().min(1).max(1440).default(30).describe('How long that may take'),
    copy: z
      .array(z.string().min(1))
      .optional()
      .describe('Untracked files that a new worktree gets a copy of, written as in .gitignore'),
  })
  .strict()

/** Addresses that run what is in them, or that leave the machine. */
const NO_EDITOR = /^(?:javascript|data|vbscript|blob|file|https?|ftp|mailto):/i

const Editor = z
  .object({
    name: z.string().trim().min(1).max(40),
    url: z
      .string()
      .max(500)
      .regex(/^[a-z][a-z0-9+.-]*:[^\s]*\{path\}/i, 'must be an address such as vscode://file{path}')
      .refine(url => !NO_EDITOR.test(url), {
        message: "must begin with an editor's own scheme, such as vscode:",
        params: { ja: 'vscode: のような、エディター独自のスキームで始めてください' },
      }),
  })
  .strict()

/** Those of most people; each browser asks before it opens one. */
const EDITORS = [
  { name: 'VS Code', url: 'vscode://file{path}/' },
  { name: 'Cursor', url: 'cursor://file{path}/' },
  { name: 'JetBrains', url: 'idea://open?file={path}' },
]

export const Config = z
  .object({
    $schema: z.string().optional(),
    name: z.string().min(1).max(100).optional().describe("Your name in notes, decisions and events (default: git's)"),
    db: z.string().min(1).optional().describe('The database without --db and TORYO_DB: a file, or a postgres:// URL'),
    limits: z
      .object({
        runs: z.int().min(1).max(1000).default(8),
        tabs: z.int().min(1).max(1000).default(8),
        checks: z.int().min(1).max(100).default(2).describe('Checks of reported work that run at once on a machine'),
        launchesPerMinute: z.int().min(1).max(1000).default(4),
        startsPerMinute: z.int().min(1).max(1000).default(12).describe('Agents that Runners start in any 60 seconds'),
        depth: z.int().min(0).max(10).default(2),
        runMinutes: z.number().positive().max(10_080).default(240).describe('The longest that a run may take'),
        silenceMinutes: z
          .number()
          .positive()
          .max(10_080)
          .default(30)
          .describe('The longest that a run may say nothing'),
        troubledMinutes: z
          .number()
          .positive()
          .max(10_080)
          .default(10)
          .describe('The longest that a run may try again when its model fails, or has nothing left for it'),
        hops: z.int().min(1).max(100).default(10),
        callsPerMinute: z
          .int()
          .min(1)
          .max(1_000_000_000)
          .default(30_000)
          .describe('Calls that one agent, run or tab, or one connection of the operator, may make in a minute'),
        writeMegabytesPerMinute: z
          .int()
          .min(1)
          .max(1_000_000)
          .default(16)
          .describe('What each of them may write in a minute, in megabytes'),
      })
      .strict()
      .prefault({}),
    runner: z
      .object({
        totalMinutes: z
          .number()
          .positive()
          .max(10_080)
          .default(240)
          .describe('The longest an agent may work at a stretch'),
        silentMinutes: z.number().positive().max(10_080).default(30).describe('The longest it may say nothing'),
        troubledMinutes: z
          .number()
          .positive()
          .max(10_080)
          .default(10)
          .describe('The longest it may try again when its model fails, or has nothing left for it'),
      })
      .strict()
      .prefault({})
      .describe('For agents that the Runner of this machine starts'),
    engines: z.record(z.string().regex(/^[a-z][a-z0-9_-]*$/), Engine).default({}),
    roles: z.array(Role).default([]),
    memory: z
      .object({
        embeddings: z
          .object({
            url: z
              .url({ protocol: /^https?$/ })
              .describe('An OpenAI-compatible server, e.g. http://127.0.0.1:11434/v1'),
            model: z.string().min(1),
            tokenFile: z.string().min(1).optional().describe('A file with the token to send'),
          })
          .strict()
          .optional()
          .describe('Lets recall find by meaning, too. The texts of memory are sent to this address'),
      })
      .strict()
      .prefault({}),
    registration: z
      .object({
        toolsets: GivenToolsets.default([]).describe('Offered besides tabs; projects brings resources and prompts'),
      })
      .strict()
      .prefault({})
      .describe("For the server gwt-agent-bridge, which toryo up enters in the agent programs' config files"),
    tabs: z
      .object({
        toolsets: GivenToolsets.default([]).describe('Offered to agents in tabs besides what every tab has'),
        permission: TabPermission.default('own').describe(
          'own: the agent program asks as it is set up to; read, edit and full: as for a role, for every tab',
        ),
      })
      .strict()
      .prefault({}),
    editors: z
      .array(Editor)
      .max(20)
      .default(EDITORS)
      .describe(
        'What the dashboard opens worktrees in: {path} is the folder, from its first slash on. On a command line, `toryo task open` and `toryo tab open` use $VISUAL, else $EDITOR',
      ),
    prompts: Prompts.prefault({}),
    worktrees: Worktrees.prefault({}),
    checks: z
      .record(CheckName, Check)
      .default({})
      .describe("Only in a repository's .toryo/config.json: what it proposes to check reported work with"),
    projects: z
      .record(z.string(), z.object({ worktrees: Worktrees.optional() }).strict())
      .default({})
      .describe('Settings for one project, under its id or its directory'),
  })
  .strict()
export type Config = z.infer<typeof Config>

/** `!` leaves a part out. */
function isInside(path: string): boolean {
  return path
    .replace(/^!/, '')
    .split('/')
    .every(part => !['', '.', '..'].includes(part))
}

export function configSchema(): Record<string, unknown> {
  return z.toJSONSchema(Config, { io: 'input' })
}
