// What a new worktree gets besides its commit: files that git ignores and the user wants along, and the command that
// prepares it.
import type { Config } from '#contract/config.ts'
import { ConfigError, parseConfig } from '#kernel/config.ts'
import { createInside, openInside, readInside } from '#kernel/git/inside.ts'
import { type Checkout, withOverlay } from '#kernel/git/overlay.ts'
import type { Git } from '#kernel/git/git.ts'
import { codeOf } from '#system/files.ts'
import type { Furnishing } from './ports.ts'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectId } from '#contract/id-types.ts'

/** The patterns of Claude Code's own worktrees, in the form of .gitignore. */
const INCLUDE_FILE = '.worktreeinclude'
const MOST_FILES = 1000
const MOST_BYTES = 256 * 1024 * 1024
const TEXT_BYTES = 256 * 1024

/** The user's own settings for a project: under its id, else under its directory, else those for all. */
export function furnishingFor(config: Config, projectId: ProjectId, directory: string): Furnishing {
  const own = config.projects[projectId]?.worktrees ?? config.projects[directory]?.worktrees
  return { ...config.worktrees, ...own }
}

/** What the repository proposes. It is text; nothing of it happens automatically. */
export async function proposedSetup(directory: string): Promise<string[] | undefined> {
  const text = await readInside(directory, '.toryo/config.json', TEXT_BYTES)
  if (text === undefined) return undefined
  try {
    return parseConfig(text.replace(/^\uFEFF/, ''), '.toryo/config.json').worktrees.setup
  } catch (error) {
    if (error instanceof ConfigError) return undefined // The reader of the rest of the file reports what is wrong with it.
    throw error
  }
}

/** Copies untracked files that match. Never over something, never through a link, never out of the worktree. */
export async function copyAlong(
  git: Git,
  from: Checkout,
  to: string,
  copy: readonly string[] | undefined,
): Promise<number> {
  const patterns = copy ?? (await readInside(from.path, INCLUDE_FILE, TEXT_BYTES))?.split(/\r?\n/)
  if (!patterns?.some(pattern => pattern.trim() !== '' && !pattern.startsWith('#'))) return 0
  return withOverlay(git, from, async overlay => {
    const list = join(overlay.dir, 'copy')
    await writeFile(list, `${patterns.join('\n')}\n`)
    const indexFile = join(from.gitDir, 'index')
    const args = ['ls-files', '-z', '--others', '--ignored', `--exclude-from=${list}`]
    const { fields } = await overlay.fields(args, { indexFile, cut: true })
    let copied = 0
    let left = MOST_BYTES
    for (const path of fields.slice(0, MOST_FILES)) {
      if (path.endsWith('/') || left <= 0) continue
      const bytes = await copyOne(from.path, to, path, left)
      if (bytes === undefined) continue
      copied++
      left -= bytes
    }
    return copied
  })
}

async function copyOne(from: string, to: string, path: string, left: number): Promise<number | undefined> {
  const source = await openInside(from, path)
  if (source?.kind !== 'file') return undefined
  try {
    if (source.size > left) return undefined
    const content = await source.handle.readFile()
    const { mode } = await source.handle.stat()
    const target = await createInside(to, path, mode & 0o777)
    try {
      await target.writeFile(content)
    } finally {
      await target.close()
    }
    return content.length
  } catch (error) {
    // It is there already, or the way to it is not one of folders.
    if (['EEXIST', 'ENOTDIR', 'ELOOP'].includes(codeOf(error))) return undefined
    throw error
  } finally {
    await source.handle.close()
  }
}
