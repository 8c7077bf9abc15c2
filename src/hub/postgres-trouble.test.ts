import { expect, test } from 'vitest'
import { postgresTrouble } from './postgres-trouble.ts'

const DB = 'postgres://toryo@db.example/team'
const failure = (code: string) => Object.assign(new Error('raw'), { code })

test.each([
  ['ECONNREFUSED', 'PostgreSQL does not answer at db.example:5432.'],
  ['ENOTFOUND', 'The host db.example is not known.'],
  ['28P01', 'refuses the role toryo.'],
  ['3D000', 'has no database team. Create it: `createdb -O toryo team`.'],
  ['42501', 'may not create tables'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'an authority that is not known here. Name its file in --db: &sslrootcert='],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is not for db.example.'],
])('%s is one sentence with the next step', (code, sentence) => {
  const text = postgresTrouble(failure(code), DB)
  expect(text?.en).toContain(sentence)
  expect(text?.ja).toMatch(/。$/)
  expect(text?.en).not.toContain('raw')
})

test('a name with several addresses is one sentence, and what is not known is left as it is', () => {
  expect(postgresTrouble(new AggregateError([failure('ECONNREFUSED'), failure('ECONNREFUSED')]), DB)?.en).toContain(
    'does not answer',
  )
  expect(postgresTrouble(new Error('outer', { cause: failure('3D000') }), DB)?.en).toContain('has no database')
  expect(postgresTrouble(failure('XX000'), DB)).toBeUndefined()
  expect(postgresTrouble(failure('ECONNREFUSED'), '/home/me/toryo.db')).toBeUndefined()
})

test('a server that wants encryption, and a file of the address that is missing, are named', () => {
  const message = 'no pg_hba.conf entry for host "192.0.2.7", user "toryo", database "team", no encryption'
  const unencrypted = postgresTrouble(Object.assign(new Error(message), { code: '28000' }), DB)
  expect(unencrypted?.en).toContain('without encryption. Add ?sslmode=verify-full to --db')
  const missing = postgresTrouble(Object.assign(failure('ENOENT'), { path: '/etc/toryo/ca.pem' }), DB)
  expect(missing?.en).toContain('The file /etc/toryo/ca.pem, which --db names for TLS, does not exist')
  for (const text of [unencrypted, missing]) expect(text?.ja).toMatch(/。$/)
})
