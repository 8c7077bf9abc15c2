// Register and unregister again: not one byte differs.
import { parse as parseJson } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { expect, test } from 'vitest'
import { broken, type Sample, samples } from './corpus.ts'
import { Home, person } from './home.ts'

test('there are enough of them', () => {
  expect(samples.length).toBeGreaterThanOrEqual(60)
  expect(broken.length).toBeGreaterThanOrEqual(30)
})

test.each(samples)('$name', async ({ kind, content, mode = 0o644 }: Sample) => {
  using home = new Home()
  const file = home[kind]
  home.write(file, content, mode)
  const before = home.picture()
  expect(await home.registrar().add(person, home.command)).toContainEqual(
    expect.objectContaining({ file, state: 'added' }),
  )
  expect(entryIn(kind, home.read(file))).toEqual(expected(kind, home))
  expect(home.read(file).length).toBeGreaterThan(content.length)

  const again = await home.registrar().add(person, home.command)
  expect(again).toContainEqual(expect.objectContaining({ file, state: 'present' }))
  expect(await home.registrar().remove(() => true)).toEqual([expect.objectContaining({ file, state: 'removed' })])
  expect(home.picture()).toEqual(before)
  expect(home.ledger()).toEqual({ entries: [] })
})

test.each(samples)(
  '$name, when another program wrote something before and behind our entry',
  async ({ kind, content }) => {
    using home = new Home()
    const file = home[kind]
    home.write(file, content)
    await home.registrar().add(person, home.command)
    const added = home.read(file)
    // Spaces change no meaning, but every offset.
    const [lead, rest] = added.startsWith('\uFEFF') ? ['\uFEFF', added.slice(1)] : ['', added]
    home.write(file, `${lead}\n\n${rest}\n\n`)
    const [outcome] = await home.registrar().remove(() => true)
    expect(outcome?.state).toBe('removed')
    const before = String(content).startsWith('\uFEFF') ? String(content).slice(1) : String(content)
    expect(home.read(file)).toBe(`${lead}\n\n${before}\n\n`)
  },
)

test.each(broken)('T20: %s (%s) stays as it is, and the warning says where', async (_name, kind, content, line) => {
  using home = new Home()
  const file = home[kind]
  const other = kind === 'gemini' ? home.claude : home.gemini
  home.write(file, content)
  home.write(other, '{}')
  const before = home.picture()[pathIn(home, file)]
  const outcomes = await home.registrar().add(person, home.command)
  const [own] = outcomes.filter(outcome => outcome.file === file)
  expect(own).toMatchObject({ state: 'skipped', warning: true })
  expect(own?.text.en.startsWith(`${file}${line === undefined ? ':' : `:${line}:`}`)).toBe(true)
  expect(own?.text.ja.startsWith(file)).toBe(true)
  // The others go on.
  expect(outcomes).toContainEqual(expect.objectContaining({ file: other, state: 'added' }))
  expect(home.picture()[pathIn(home, file)]).toBe(before)
  expect(await home.registrar().remove(() => true)).toEqual([expect.objectContaining({ file: other })])
  expect(home.picture()[pathIn(home, file)]).toBe(before)
})

function pathIn(home: Home, file: string): string {
  return file.slice(home.folder.length + 1)
}

function entryIn(kind: Sample['kind'], text: string): unknown {
  const body = text.replace(/^\uFEFF/, '')
  if (kind === 'codex')
    return {
      ...(parseToml(body, { integersAsBigInt: true })['mcp_servers'] as Record<string, object>)['gwt-agent-bridge'],
    }
  return parseJson(body, [], { allowTrailingComma: true }).mcpServers['gwt-agent-bridge']
}

/** Exactly these words, in each of the three. */
function expected(kind: Sample['kind'], { command: { runtime, bridge } }: Home): unknown {
  return kind === 'claude' ? { command: runtime, args: [bridge], env: {} } : { command: runtime, args: [bridge] }
}
