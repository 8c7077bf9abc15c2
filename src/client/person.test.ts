import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findPerson, userName } from './person.ts'

test('the configuration names the person, else git, else the operating system', async () => {
  const home = mkdtempSync(path.join(tmpdir(), 'toryo-person-'))
  const write = (file: string, text: string) => {
    const whole = path.join(home, file)
    mkdirSync(path.dirname(whole), { recursive: true })
    writeFileSync(whole, text)
  }
  const env = { HOME: home, TORYO_HOME: path.join(home, 'toryo') }
  expect(findPerson(env)).toEqual({ name: userInfo().username, source: 'system' })
  write('.config/git/config', '[user]\n\tname = From XDG\n')
  expect(findPerson(env)).toEqual({ name: 'From XDG', source: 'git' })
  write('.gitconfig', '[user]\n\tname = 蒼井\u001b[31m\n')
  expect(findPerson(env)).toEqual({ name: '蒼井 [31m', source: 'git' })
  write('elsewhere', '[user] name = Elsewhere')
  expect(findPerson({ ...env, GIT_CONFIG_GLOBAL: path.join(home, 'elsewhere') })).toMatchObject({
    name: 'Elsewhere',
  })
  // Not the name of a role, and a mistake elsewhere in the file is the hub's to report.
  write('toryo/config.json', '{ "roles": [{ "name": "reviewer" }], // nothing\n "limits": 7, }')
  expect(findPerson(env)).toMatchObject({ source: 'git' })
  write('toryo/config.json', '\uFEFF{ // mine\n "name": "Aoi", }')
  expect(findPerson(env)).toEqual({ name: 'Aoi', source: 'config' })
  rmSync(home, { recursive: true })
})

test.each([
  ['[user]\nname = Ken', 'Ken'],
  ['[core]\nname = no\n[USER]\n\tName=Ken Sato  ; a comment', 'Ken Sato'],
  ['[user]\nname = "Ken # Sato" # a comment', 'Ken # Sato'],
  ['[user]\nname = Ken \\"K\\" Sato', 'Ken "K" Sato'],
  ['[user]\nname = one\nname = two', 'two'],
  ['[user "work"]\nname = no', undefined],
  ['[user]\nemail = a@b', undefined],
  ['[user]\nname = Ken \\\nSato', 'Ken Sato'],
  ['[user]\r\nname = Ken\r\n[alias]\r\nname = no\r\n', 'Ken'],
  ['', undefined],
])('of git’s file %j the name is %s', (text, name) => {
  expect(userName(text)).toBe(name)
})
