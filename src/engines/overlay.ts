// A stand-in for a program's own folder in the user's home: everything in it is the user's, by link, but for single files
// that we put in their place. For programs that take their configuration from nowhere else.
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '#system/files.ts'

export async function overlay(folder: string, original: string, except: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await namesIn(original)) {
    if (!except.includes(name)) await link(join(original, name), join(folder, name))
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch {
    return [] // The program has never run here.
  }
}

async function link(target: string, path: string): Promise<void> {
  try {
    await symlink(target, path)
  } catch (error) {
    // A run that goes on in its folder finds its links made.
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
