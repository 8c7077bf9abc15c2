// The user's own editor on a copy of a text.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { CliError } from './errors.ts'
import type { Io } from './io.ts'
import { phaseTexts } from './texts-phase.ts'

export function editText(text: string, name: string, io: Io): string {
  const editor = io.env['VISUAL'] || io.env['EDITOR'] || (process.stdin.isTTY && io.width !== undefined ? 'vi' : '')
  if (editor === '') throw CliError.USAGE({ text: phaseTexts.noEditor })
  // mkdtemp makes a folder for the owner alone.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-edit-'))
  const file = path.join(folder, `${name}.md`)
  try {
    // Editors expect the last line to end; the hub keeps it without.
    fs.writeFileSync(file, text.endsWith('\n') ? text : `${text}\n`)
    if (open(editor, file) !== 0) throw CliError.FAILED({ text: phaseTexts.editorFailed(editor) })
    return fs.readFileSync(file, 'utf8')
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** The variable may hold arguments (`code --wait`), so a shell splits it; the file is an argument of its own. */
function open(editor: string, file: string): number | null {
  if (process.platform === 'win32') return spawnSync(`${editor} "${file}"`, { shell: true, stdio: 'inherit' }).status
  return spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'toryo', file], { stdio: 'inherit' }).status
}
