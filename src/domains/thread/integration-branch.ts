import { hash } from 'node:crypto'
import { INTEGRATION } from '#contract/branches.ts'

const LETTERS = 6

/**
 * Where merged trees are checked. Two hubs can have one repository between them, and a branch is checked out in one worktree only;
 * nor may two bases share it, whose merges go on side by side.
 */
export function integrationBranch({ home, key, base }: { home: string; key: string; base: string }): string {
  const plain = base.replace(/[^A-Za-z0-9._-]+/g, '-')
  const place = hash('sha256', plain === base ? home : `${home}\0${base}`).slice(0, LETTERS)
  return `${INTEGRATION}${key}-${plain}-${place}`
}
