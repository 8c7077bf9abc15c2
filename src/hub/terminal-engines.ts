// Engines as tabs need them: found on this machine, started in a terminal with their own way to this hub, and their screens read.
import { join } from 'node:path'
import type { TabEngines } from '#domains/tabs/ports.ts'
import type { McpEntry } from '#engines/engine.ts'
import { allEngines } from '#engines/all-engines.ts'
import { findProgram } from '#engines/find-program.ts'
import { enterAnswers, farewellOf, screenState, stillHolds } from '#engines/screen.ts'
import type { Config } from '#contract/config.ts'
import { TORYO_HOME, TORYO_TICKET_FILE } from '#system/environment-names.ts'

export type TerminalEnginesOptions = {
  config: () => Pick<Config, 'engines'>
  /** What the engines' environment is picked from. */
  source: NodeJS.ProcessEnv
  /** How a bridge names this hub's database. */
  db: string
  home: string
  bridge: string
}

export function terminalEngines({ config, source, db, home, bridge }: TerminalEnginesOptions): TabEngines {
  const find = (id: string) => allEngines(config()).get(id)
  return {
    problem(id) {
      const engine = find(id)
      if (!engine) return `there are ${[...allEngines(config()).keys()].join(', ')}`
      if (!engine.terminal) return 'it has no terminal mode'
      return findProgram(engine.programs, source) === undefined
        ? `${engine.programs.join(' or ')} is not in PATH`
        : undefined
    },
    resumeProblem(id) {
      return find(id)?.capabilities.resume === true ? undefined : noResume(id)
    },
    async start({ engine: id, permission, resumes }, { folder, directory }, env) {
      const engine = find(id)
      if (!engine?.terminal) throw new Error(`${id} has no terminal mode`)
      const mcp = bridgeEntry(bridge, db, { ...env, [TORYO_HOME]: home, [TORYO_TICKET_FILE]: join(folder, 'ticket') })
      const allowed = permission === 'own' ? undefined : permission
      const session = resumes ?? undefined
      const invocation = await engine.terminal({ folder, directory, source, permission: allowed, mcp, session })
      const names = invocation.program === undefined ? engine.programs : [invocation.program]
      const program = findProgram(names, source)
      if (program === undefined) throw new Error(`${names.join(' or ')} is not in PATH`)
      return { program, args: invocation.args, env: invocation.env, session: invocation.session }
    },
    sight: (id, screen) => screenState(screen, find(id)?.screen),
    holds: (id, screen, line) => stillHolds(screen, find(id)?.screen, line),
    enterAnswers: (id, screen, line) => enterAnswers(screen, find(id)?.screen, line),
    farewell: (id, lines) => farewellOf(lines, find(id)?.screen),
    knows: id => find(id)?.screen !== undefined,
  }
}

const noResume = (engine: string) => ({
  en: `${engine} has no way to go on with a conversation in a terminal. For an engine of your own, name one as \`resume\` in config.json.`,
  ja: `${engine} はターミナルで会話を再開できません。自分で設定したエンジンなら、config.json の \`resume\` に起動方法を指定してください。`,
})

/** Reaches this hub as this tab. */
function bridgeEntry(bridge: string, db: string, env: Record<string, string>): McpEntry {
  return { command: process.execPath, args: [bridge, '--db', db], env }
}
