// The user's own editor: on a copy of a text, or on a folder.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { CliError, EXIT } from './errors.ts'
import type { Io } from './io.ts'
import { phaseTexts } from './texts-phase.ts'

export function editText(text: string, name: string, io: Io): string {
  const editor = named(io) || (process.stdin.isTTY && io.width !== undefined ? 'vi' : '')
  if (editor === '') throw CliError.USAGE({ text: phaseTexts.noEditor })
  // mkdtemp makes a folder for the owner alone.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-edit-'))
  const file = path.join(folder, `${name}.md`)
  try {
    // Editors expect the last line to end; the hub keeps it without.
    fs.writeFileSync(file, text.endsWith('\n') ? text : `${text}\n`)
    if (open(editor, file, io) !== 0) throw CliError.FAILED({ text: phaseTexts.editorFailed(editor) })
    return fs.readFileSync(file, 'utf8')
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** Answers the editor's exit code. A terminal that is handed on has no editor to guess for a folder. */
export function openFolder(folder: string, io: Io): number {
  const editor = named(io)
  if (editor === '') throw CliError.USAGE({ text: NONE_NAMED })
  return open(editor, folder, io) ?? EXIT.failed
}

function named({ env }: Io): string {
  return env['VISUAL'] || env['EDITOR'] || ''
}

/** The variable may hold arguments (`code --wait`), so a shell splits it; the place is an argument of its own. */
function open(editor: string, place: string, io: Io): number | null {
  const options = { stdio: 'inherit', env: io.env as NodeJS.ProcessEnv } as const
  if (process.platform === 'win32') return spawnSync(`${editor} "${place}"`, { ...options, shell: true }).status
  return spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'toryo', place], options).status
}

const NONE_NAMED = {
  en: "No editor is named. Set VISUAL or EDITOR, such as `export VISUAL='code --wait'`, and try again.",
  ja: "エディターが指定されていません。`export VISUAL='code --wait'` のように VISUAL または EDITOR を設定して、再実行してください。",
}
