import { expect, test } from 'vitest'
import { flagOf, hasSecretName, hasSecretText, holding } from './file-rules.ts'

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
  // Sums of files, as lock files are full of them.
  [`checksum = "${'0123456789abcdef'.repeat(4)}"`, false],
  ['const key = "value"', false],
])('%j: %s', (text, isSecret) => expect(hasSecretText(text)).toBe(isSecret))

test('new files stay out that look like secrets or are too much; what was there before, or was let in, does not', () => {
  const texts: Record<string, string> = { 'a.txt': `npm_${'x'.repeat(36)}`, 'b.txt': 'hello' }
  const hold = holding(new Set(['.env.let-in']), path => texts[path], 100)
  expect(hold('.env', 3, true)).toBe('secret')
  expect(hold('.env', 3, false)).toBeUndefined()
  expect(hold('.env.let-in', 3, true)).toBeUndefined()
  expect(hold('a.txt', 40, true)).toBe('secret')
  expect(hold('b.txt', 60, true)).toBeUndefined()
  expect(hold('large.bin', 41, true)).toBe('size')
  expect(hold('large-before.bin', 41, false)).toBeUndefined()
  expect(hold('small.bin', 40, true)).toBeUndefined()
  expect(hold('tiny.bin', 1, true)).toBe('size')
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
