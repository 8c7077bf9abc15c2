// A hub whose scripted engine also has a terminal, in which it goes on with a conversation.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scriptedConfig } from './crews.ts'
import { SCRIPTED_ENGINE, temporaryFolder } from './scripted.ts'
import { SCRIPTED_TUI } from './tabs.ts'

/** `notes`: where the program in the terminal writes down how it was started. */
export function takingConfig() {
  const notes = temporaryFolder()
  const own = scriptedConfig()
  const terminal = [process.execPath, SCRIPTED_TUI, notes.path]
  const scripted = { ...own.engines.scripted, terminal, resume: [...terminal, '--resume', '{session}'] }
  const mute = { headless: [process.execPath, SCRIPTED_ENGINE], output: 'claude', terminal }
  return {
    notes,
    config: {
      ...own,
      engines: { ...own.engines, scripted, mute },
      roles: [...own.roles, { id: 'mute', engine: 'mute', model: 'default' }],
    },
  }
}

type Start = { argv: string[]; cwd: string }

export function startOf(notes: string, tab: string): Start | undefined {
  const file = join(notes, `${tab}.start`)
  const [line, ...rest] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return line !== undefined && rest.length > 0 ? (JSON.parse(line) as Start) : undefined
}
