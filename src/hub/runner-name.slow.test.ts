// Two machines may have one host name and homes at one path; and a home may be copied from one to the other. Their hubs are two.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { locate, type Target } from '#client/locate.ts'
import { ownRunnerName, placeOf } from './runner-name.ts'

test('a hub of a copied home has a name and a place of its own on a shared database', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'toryo-copied-'))
  try {
    const home = path.join(folder, 'home')
    const copy = path.join(folder, 'copy')
    fs.mkdirSync(home)
    const target = locate('postgres://db.example/team', { env: { HOME: folder, TORYO_HOME: home } })
    const name = ownRunnerName(target)
    const place = placeOf(target)
    expect([ownRunnerName(target), placeOf(target)]).toEqual([name, place])
    fs.cpSync(home, copy, { recursive: true })
    // On the other machine it is at the same path.
    const there: Target = { ...target, home: copy }
    expect(ownRunnerName(there)).not.toBe(name)
    expect(placeOf(there)).not.toBe(place)
    // And a home of its own, too, with nothing copied.
    const fresh = path.join(folder, 'fresh')
    fs.mkdirSync(fresh)
    expect(placeOf({ ...target, home: fresh })).not.toBe(place)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
})
