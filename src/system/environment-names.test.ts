import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../scripts/sources.js'

/** The contract may import nothing; the language is of all programs, the page too. */
const HOMES = ['src/system/environment-names.ts', 'src/contract/lang.ts']

/** As a whole string, or as a key. In the middle of a text for people it is only mentioned. */
const NAME = /(['"])(?:TORYO_[A-Z_]+|LOG_LEVEL)\1|(?:^|[{,])\s*(?:TORYO_[A-Z_]+|LOG_LEVEL)\??:/

test('an environment variable of ours has its name in one place', () => {
  const found = sources('src').flatMap(file =>
    fs
      .readFileSync(path.join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (NAME.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})

function sources(folder: string): string[] {
  return fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).flatMap(name => {
    const file = path.join(folder, name)
    return /\.tsx?$/.test(name) && !/\.test\.|\.gen\./.test(name) && !HOMES.includes(file) ? [file] : []
  })
}
