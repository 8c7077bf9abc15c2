import { expect, test } from 'vitest'
import { guessChecks, guessSetup } from './guessed-checks.ts'

const scripts = (given: Record<string, string>, more: object = {}) => JSON.stringify({ scripts: given, ...more })

test.each<[string, Record<string, string>, string[]]>([
  ['nothing', {}, []],
  [
    'scripts of package.json',
    { 'package.json': scripts({ test: 'vitest', lint: 'oxlint', 'type-check': 'tsc', start: 'x' }) },
    ['test: npm test', 'lint: npm run lint', 'typecheck: npm run type-check'],
  ],
  [
    'the test that npm init writes',
    { 'package.json': scripts({ test: 'echo "Error: no test specified" && exit 1' }) },
    [],
  ],
  [
    'pnpm',
    { 'package.json': scripts({ test: 'x', lint: 'y' }), 'pnpm-lock.yaml': '' },
    ['test: pnpm test', 'lint: pnpm run lint'],
  ],
  ['yarn', { 'package.json': scripts({ test: 'x' }), 'yarn.lock': '' }, ['test: yarn test']],
  [
    'bun, whose own test is another',
    { 'package.json': scripts({ test: 'x' }), 'bun.lock': '' },
    ['test: bun run test'],
  ],
  ['a package.json that is not JSON', { 'package.json': '{' }, []],
  ['a package.json with other things in it', { 'package.json': '{"scripts":[1]}' }, []],
  ['a Makefile', { Makefile: 'CC := gcc\ntest lint: all\n\techo\nall:\n' }, ['test: make test', 'lint: make lint']],
  ['a variable of a Makefile', { Makefile: 'test := 1\nlint ::= 2\n' }, []],
  ['make check', { Makefile: 'check:\n\t./run\n' }, ['test: make check']],
  ['Rust', { 'Cargo.toml': '[package]\n' }, ['test: cargo test']],
  [
    'Python',
    { 'pyproject.toml': '[tool.pytest.ini_options]\n[tool.ruff]\n[tool.mypy]\n' },
    ['test: python3 -m pytest', 'lint: python3 -m ruff check .', 'typecheck: python3 -m mypy .'],
  ],
  ['Python with uv', { 'pyproject.toml': 'dev = ["pytest"]\n', 'uv.lock': '' }, ['test: uv run pytest']],
  ['Go', { 'go.mod': 'module x\n' }, ['test: go test ./...', 'vet: go vet ./...']],
  [
    'several files, of which the first decides',
    { 'package.json': scripts({ test: 'x' }), Makefile: 'test:\nlint:\n', 'go.mod': '' },
    ['test: npm test', 'lint: make lint', 'vet: go vet ./...'],
  ],
])('guesses checks: %s', (_, files, checks) => {
  const usual = guessChecks(new Map(Object.entries(files))).filter(check => check.usual)
  expect(usual.map(({ name, command }) => `${name}: ${command.join(' ')}`)).toEqual(checks)
})

test.each<[string, Record<string, string>, string | undefined]>([
  ['no dependencies', { 'package.json': '{"dependencies":{}}' }, undefined],
  ['no lock file', { 'package.json': '{"dependencies":{"a":"1"}}' }, 'npm install'],
  ['npm', { 'package.json': '{"devDependencies":{"a":"1"}}', 'package-lock.json': '' }, 'npm ci'],
  ['pnpm', { 'package.json': '{"dependencies":{"a":"1"}}', 'pnpm-lock.yaml': '' }, 'pnpm install --frozen-lockfile'],
])('guesses what a fresh worktree needs: %s', (_, files, command) => {
  expect(guessSetup(new Map(Object.entries(files)))?.join(' ')).toBe(command)
})

test('names the other scripts and targets to choose from, without those that do not end', () => {
  const text = scripts({ test: 'x', 'test:unit': 'y', dev: 'z', prebuild: 'p', build: 'b', テスト: 'j' })
  const files = new Map([
    ['package.json', text],
    ['Makefile', 'build docs:\n\techo\nwatch:\n'],
  ])
  expect(guessChecks(files).map(({ name, command, usual }) => [name, command.join(' '), usual])).toEqual([
    ['test', 'npm test', true],
    ['test-unit', 'npm run test:unit', false],
    ['build', 'npm run build', false],
    ['docs', 'make docs', false],
  ])
})
