// Every requirement of tabs, and the test that proves it. A requirement without a test of that name fails here.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { allEngines } from '#engines/all-engines.ts'

const root = path.resolve(import.meta.dirname, '..')

const PROOFS: Record<string, { says: string; file: string; test: string }> = {
  'FR-001': {
    says: 'the hub takes connections of bridges over WebSocket',
    file: 'src/bridge/relay.slow.test.ts',
    test: 'relays text of every kind unchanged, in both directions',
  },
  'FR-002': {
    says: 'the bridge speaks MCP on stdio',
    file: 'src/bridge/purity.slow.test.ts',
    test: 'stdout carries JSON-RPC alone',
  },
  'FR-003': {
    says: 'the bridge is one bundled file',
    file: 'test/registration/programs.slow.test.ts',
    test: 'the bridge is one file, far below 5 MB, and needs nothing',
  },
  'FR-004': {
    says: 'bun, else node',
    file: 'src/registration/runtime.slow.test.ts',
    test: 'takes bun where it can run the bridge, by its real path',
  },
  'FR-005': {
    says: 'the state file tells where the hub is',
    file: 'test/registration/programs.slow.test.ts',
    test: 'FR-017, FR-018, FR-005: registered while it runs',
  },
  'FR-006': {
    says: 'the bridge reads that file',
    file: 'test/registration/programs.slow.test.ts',
    test: 'FR-006, FR-002: a bridge without arguments finds the registered hub',
  },
  'FR-007': {
    says: 'all live tabs',
    file: 'src/domains/tabs/tools/looking.slow.test.ts',
    test: 'three live tabs are listed',
  },
  'FR-008': {
    says: 'one tab in detail',
    file: 'src/domains/tabs/tools/looking.slow.test.ts',
    test: 'three live tabs are listed',
  },
  'FR-009': {
    says: 'a message is typed into the tab',
    file: 'src/domains/tabs/tools/messages.slow.test.ts',
    test: 'a message reaches the agent in the tab as one line',
  },
  'FR-010': {
    says: 'a message to all others',
    file: 'src/domains/tabs/tools/messages.slow.test.ts',
    test: 'one tab writes to another, and to all others',
  },
  'FR-011': {
    says: 'a new tab is launched',
    file: 'src/domains/tabs/tools/gwt-launch-agent.slow.test.ts',
    test: 'starts an engine in a terminal on a worktree of its branch',
  },
  'FR-012': {
    says: 'a tab is stopped',
    file: 'src/domains/tabs/tools/looking.slow.test.ts',
    test: 'three live tabs are listed',
  },
  'FR-013': {
    says: 'the diff of a worktree',
    file: 'src/domains/tabs/tools/looking.slow.test.ts',
    test: 'what changed since the base is told',
  },
  'FR-014': {
    says: 'the changed files of a worktree',
    file: 'src/domains/tabs/tools/looking.slow.test.ts',
    test: 'what changed since the base is told',
  },
  'FR-015': {
    says: 'nothing but text reaches a terminal',
    file: 'src/domains/tabs/typing.night.test.ts',
    test: 'T09: 20,000 hostile messages arrive as one paste and one Enter each',
  },
  'FR-016': {
    says: 'a limit of tabs and one of launches',
    file: 'src/domains/tabs/tools/launch-limits.slow.test.ts',
    test: 'the fifth launch in a minute is refused',
  },
  'FR-017': {
    says: 'registered at the start',
    file: 'test/registration/programs.slow.test.ts',
    test: 'FR-017, FR-018, FR-005: registered while it runs',
  },
  'FR-018': {
    says: 'taken out at the end',
    file: 'test/registration/programs.slow.test.ts',
    test: 'FR-017, FR-018, FR-005: registered while it runs',
  },
  'FR-019': {
    says: 'what a crash left is found',
    file: 'test/registration/programs.slow.test.ts',
    test: 'FR-019: what a crash left is found at the next start',
  },
  'FR-020': {
    says: 'a bridge without a hub takes the entry out',
    file: 'test/registration/programs.slow.test.ts',
    test: 'FR-020: a bridge that finds its hub dead takes the entries out',
  },
  'NFR-003': {
    says: 'the bridge is smaller than 5 MB',
    file: 'test/registration/programs.slow.test.ts',
    test: 'NFR-003: the bridge is one file, far below 5 MB',
  },
}

/** Measured in bench/: how fast a bridge is ready, and what it adds to a call. */
const MEASURED = ['NFR-001', 'NFR-002']

test.each(Object.entries(PROOFS))('%s', (_, proof) => {
  const file = path.join(root, proof.file)
  expect(existsSync(file), proof.says).toBe(true)
  expect(readFileSync(file, 'utf8'), proof.says).toContain(proof.test)
})

test('FR-021: Codex and Gemini, and all others, can use MCP', () => {
  for (const id of ['claude', 'codex', 'gemini', 'opencode'])
    expect(allEngines({ engines: {} }).get(id)?.capabilities.mcp, id).toBe(true)
})

test('every requirement has its place', () => {
  const named = [...Object.keys(PROOFS), ...MEASURED, 'FR-021']
  const functional = Array.from({ length: 21 }, (_, n) => `FR-${String(n + 1).padStart(3, '0')}`)
  expect([...new Set(named)].sort()).toEqual([...functional, 'NFR-001', 'NFR-002', 'NFR-003'].sort())
})
