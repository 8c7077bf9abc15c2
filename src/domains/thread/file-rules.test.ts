import { expect, test } from 'vitest'
import { changesChecks, configuresChecks, flagOf, hasSecretName, hasSecretText, holding } from './file-rules.ts'

test.each([
  ...[
    '.env',
    '.env.local',
    'apps/web/.env.production',
    '.envrc',
    'server.pem',
    'tls/private.key',
    'id_rsa',
    'id_ed25519_work',
    'putty.ppk',
    'prod.env',
    'config/app.env.production',
    '.pypirc',
    'home/.kube/config',
    '_netrc',
  ],
  ...[
    'cert.p12',
    'credentials',
    'credentials.json',
    '.aws/credentials',
    '.netrc',
    'secrets.yaml',
    'service-account-7.json',
  ],
  'ID_RSA',
])('%s looks like a secret', path => expect(hasSecretName(path)).toBe(true))

test.each([
  ...[
    '.env.example',
    '.env.sample',
    'id_rsa.pub',
    'src/env.ts',
    'environment.md',
    'keyboard.ts',
    'src/credentials-form.tsx',
    'src/app.env.ts',
    'vite-env.d.ts',
    'prod.env.example',
    'kube/config',
  ],
  ...['src/secrets.ts', 'public.key.example', 'monkey'],
])('%s does not', path => expect(hasSecretName(path)).toBe(false))

test.each([
  ['-----BEGIN RSA PRIVATE KEY-----\nMII', true],
  ['-----BEGIN PRIVATE KEY-----\nMII', true],
  ['-----BEGIN PUBLIC KEY-----\nMII', false],
  [`token: ghp_${'a'.repeat(36)}`, true],
  ['AWS_KEY=AKIAIOSFODNN7EXAMPLE', true],
  ['//registry.npmjs.org/:_authToken=abc', true],
  ['//registry.npmjs.org/:_authToken=$NPM_TOKEN', false],
  [`sess_${'A1b2'.repeat(11)}`, true],
  ['-----BEGIN PGP PRIVATE KEY BLOCK-----', true],
  ['PuTTY-User-Key-File-3: ssh-ed25519', true],
  [`${'\0'.repeat(3)}-----BEGIN RSA PRIVATE KEY-----`, true],
  [Buffer.from('-----BEGIN RSA PRIVATE KEY-----', 'utf16le').toString('latin1'), true],
  [`sk_live_${'a1B2'.repeat(6)}`, true],
  [`sk_test_${'a1B2'.repeat(6)}`, false],
  [`sk-ant-api03-${'a1B2'.repeat(6)}`, true],
  [`hf_${'aB'.repeat(17)}`, true],
  [`pypi-AgEIcHlwaS5vcmc${'a1B2'.repeat(10)}`, true],
  [`SG.${'a1B2'.repeat(5)}xy.${'a1B2'.repeat(10)}xyz`, true],
  [`glpat-${'a1B2'.repeat(5)}`, true],
  [`glpat-${'a1B2'.repeat(7)}.01.${'a1'.repeat(4)}`, true],
  ['DATABASE_URL=postgres://user:password@db.shop.dev/shop', true],
  ['postgresql+asyncpg://shop:s3cret@10.0.0.7:5432/shop', true],
  ['mongodb+srv://shop:s3cret@cluster0.mongodb.net', true],
  ['postgres://postgres:postgres@db:5432/shop', false],
  ['postgres://shop:s3cret@localhost/shop', false],
  ['postgres://shop:$PASSWORD@db.shop.dev/shop', false],
  ['postgres://shop:<password>@db.shop.dev/shop', false],
  ['postgres://db.shop.dev/shop', false],
  // Sums of files, as lock files are full of them.
  [`checksum = "${'0123456789abcdef'.repeat(4)}"`, false],
  ['const key = "value"', false],
])('%j: %s', (text, isSecret) => expect(hasSecretText(text)).toBe(isSecret))

test('new files stay out that look like secrets or are too much; what was there before, or was let in, does not', async () => {
  const hold = holding(new Set(['.env.let-in']), async path => path === 'a.txt', 100)
  expect(await hold('.env', 3, true)).toBe('secret')
  expect(await hold('.env', 3, false)).toBeUndefined()
  expect(await hold('.env.let-in', 3, true)).toBeUndefined()
  expect(await hold('a.txt', 40, true)).toBe('secret')
  expect(await hold('b.txt', 60, true)).toBeUndefined()
  expect(await hold('large.bin', 41, true)).toBe('size')
  expect(await hold('large-before.bin', 41, false)).toBeUndefined()
  expect(await hold('small.bin', 40, true)).toBeUndefined()
  expect(await hold('tiny.bin', 1, true)).toBe('size')
})

test.each([
  ['src/cart.test.ts', 'test'],
  ['tests/test_cart.py', 'test'],
  ['pkg/cart_test.go', 'test'],
  ['src/CartTest.java', 'test'],
  ['spec/cart_spec.rb', 'test'],
  ['src/__snapshots__/a.snap', 'test'],
  ['.github/workflows/ci.yml', 'ci'],
  ['.toryo/config.json', 'ci'],
  ['Jenkinsfile', 'ci'],
  ['web/package-lock.json', 'lock'],
  ['Cargo.lock', 'lock'],
  ['src/cart.ts', undefined],
  ['src/latest.ts', undefined],
  ['docs/testing.md', undefined],
  ['contest/entry.md', undefined],
])('%s is pointed out as %s', (path, why) => expect(flagOf(path)).toBe(why))

test.each([
  ...['Makefile', 'web/.npmrc', 'vitest.config.ts', 'jest.setup.js', 'pytest.ini', 'tox.ini', 'tests/conftest.py'],
  ...[
    'tsconfig.json',
    'web/tsconfig.build.json',
    '.husky/pre-commit',
    'eslint.config.mjs',
    '.eslintrc.cjs',
    'biome.json',
  ],
  ...[
    'mix.exs',
    'MODULE.bazel',
    'Directory.Build.props',
    'tasks.py',
    'gulpfile.mjs',
    'ci/Dockerfile',
    'compose.test.yml',
  ],
  ...[
    '.nvmrc',
    '.python-version',
    '.tool-versions',
    '.worktreeinclude',
    'node_modules/.bin/vitest',
    '.yarn/releases/y.cjs',
  ],
])('%s decides what checks run', path => expect(configuresChecks(path)).toBe(true))

test.each(['src/makefile.ts', 'src/config.ts', 'docs/vitest.md', 'src/cart.test.ts', 'package.json', 'next.config.js'])(
  '%s does not, by its name alone',
  path => expect(configuresChecks(path)).toBe(false),
)

const pkg = (more: object) => JSON.stringify({ name: 'shop', scripts: { test: 'vitest' }, ...more })
test.each([
  ['package.json', pkg({}), pkg({ scripts: { test: 'true' } }), true],
  ['package.json', pkg({}), pkg({ jest: { testMatch: [] } }), true],
  ['package.json', pkg({}), pkg({ overrides: { vitest: '0.0.1' } }), true],
  ['package.json', pkg({}), pkg({ devDependencies: { vitest: 'file:./always' } }), true],
  ['package.json', pkg({}), pkg({ version: '2.0.0', dependencies: { zod: '^4.1.0' } }), false],
  ['package.json', pkg({}), JSON.stringify(JSON.parse(pkg({})), null, 2), false],
  ['package.json', pkg({}), '', true],
  ['composer.json', '{"require":{"a/b":"^1"}}', '{"require":{"a/b":"^2"},"require-dev":{"c/d":"~3.1"}}', false],
  ['composer.json', '{"scripts":{"test":"phpunit"}}', '{"scripts":{"test":"true"}}', true],
  ['pyproject.toml', '[project]\nname = "a"', '[project]\nname = "b"\ndependencies = ["x"]', false],
  ['pyproject.toml', '[tool.pytest.ini_options]\n', '[tool.pytest.ini_options]\naddopts = "-k nothing"', true],
  [
    'Cargo.toml',
    '[package]\nversion = "1"\n[dependencies]',
    '[package]\nversion = "2"\n[dependencies]\na = "1"',
    false,
  ],
  ['Cargo.toml', '[package]\nname = "a"', '[package]\nname = "a"\nautotests = false', true],
])('%s: from %j to %j changes what checks run: %s', (name, before, after, is) =>
  expect(changesChecks(name, before, after)).toBe(is),
)
