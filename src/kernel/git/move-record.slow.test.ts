import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ownMark } from '#system/process-identity.ts'
import { type Repo, Yard } from '../../../test/git.ts'
import { finishMove, moveBase } from './base.ts'
import { isPlainWay } from './inside.ts'
import type { Step } from './move-record.ts'
import { openRepository } from './repository.ts'

const REF = 'refs/heads/main'

function site(yard: Yard): { repo: Repo; from: string; to: string } {
  const repo = yard.repository('shop')
  repo.write('a', 'one\n')
  repo.write('sub/b', 'one\n')
  const from = repo.commit('from')
  repo.git('checkout', '-q', '-b', 'work')
  repo.write('a', 'two\n')
  repo.write('sub/b', 'two\n')
  const to = repo.commit('to')
  repo.git('checkout', '-q', 'main')
  return { repo, from, to }
}

function digest(text: string): string {
  return `- ${createHash('sha256').update(text).digest('hex')}`
}

/** A user's folder, and the steps that would change each of its files. */
function victim(yard: Yard): { home: string; steps: Step[] } {
  const home = path.join(yard.home, 'victim')
  mkdirSync(home)
  writeFileSync(path.join(home, '.bashrc'), 'original\n')
  writeFileSync(path.join(home, 'precious'), 'keep\n')
  const steps = [
    { path: '.bashrc', digest: digest('original\n'), old: true },
    { path: 'precious', digest: digest('keep\n'), old: false },
    { path: '.config/autostart/evil', digest: null, old: true },
  ]
  return { home, steps }
}

function expectUntouched(home: string): void {
  expect(readdirSync(home).sort()).toEqual(['.bashrc', 'precious'])
  expect(readFileSync(path.join(home, '.bashrc'), 'utf8')).toBe('original\n')
}

type Forged = { notes: string; dir: string; record: object; steps: Step[] }

function forge({ notes, dir, record, steps }: Forged): void {
  for (const place of [notes, dir]) mkdirSync(path.join(place, '0/aside'), { recursive: true })
  writeFileSync(path.join(notes, 'record.json'), JSON.stringify(record))
  writeFileSync(path.join(notes, '0/plan.json'), JSON.stringify({ steps, newFolders: [] }))
  for (const at of steps.keys()) writeFileSync(path.join(dir, '0/aside', String(at)), 'EVIL\n')
}

const gone = () => ({ ...ownMark(), pid: 999_999 })

test('a record that lies in the repository is not believed, and the next move goes on', async () => {
  using yard = new Yard()
  const { repo, from, to } = site(yard)
  const { home, steps } = victim(yard)
  const dir = repo.at('.git/toryo/moves/00')
  const checkouts = [{ path: home, gitDir: home }]
  const record = { commonDir: repo.at('.git'), ref: REF, from, to, checkouts, owner: gone() }
  forge({ notes: dir, dir, record, steps })
  const repository = await openRepository(yard.git, repo.root)
  expect(await finishMove(yard.git, repository)).toBe(0)
  expectUntouched(home)
  expect(await moveBase(yard.git, repository, { ref: REF, from, to })).toBe('moved')
  expect(repo.git('status', '--porcelain')).toBe('')
})

test('a checkout that the repository does not have is left alone, and its record is set aside', async () => {
  using yard = new Yard()
  const { repo, from, to } = site(yard)
  const { home, steps } = victim(yard)
  const other = yard.repository('other')
  other.write('precious', 'keep\n')
  other.commit()
  const repository = await openRepository(yard.git, repo.root)
  const places = [
    { path: home, gitDir: home },
    { path: other.root, gitDir: other.at('.git') },
    { path: home, gitDir: repo.at('.git') },
    { path: repo.root, gitDir: home },
  ]
  for (const [at, place] of places.entries()) {
    const record = { commonDir: repo.at('.git'), ref: REF, from, to, checkouts: [place], owner: gone() }
    const notes = path.join(yard.git.folder, 'moves', `0${at}`)
    forge({ notes, dir: repo.at(`.git/toryo/moves/0${at}`), record, steps })
    expect(await finishMove(yard.git, repository)).toBe(1)
    expect(existsSync(notes)).toBe(false)
  }
  expectUntouched(home)
  expect(existsSync(other.at('precious'))).toBe(true)
  expect(readdirSync(path.join(yard.git.folder, 'moves-set-aside'))).toHaveLength(places.length)
  expect(await moveBase(yard.git, repository, { ref: REF, from, to })).toBe('moved')
})

test('a path that leads out of the checkout, or into the folder of git, is not followed', async () => {
  using yard = new Yard()
  const { repo, from, to } = site(yard)
  const { home, steps } = victim(yard)
  symlinkSync(home, repo.at('link'))
  const outside = ['../victim', 'link', '.git', 'sub/../../victim', home].flatMap(folder =>
    steps.map(step => ({ ...step, path: `${folder}/${step.path}` })),
  )
  const checkouts = [{ path: repo.root, gitDir: repo.at('.git') }]
  const record = { commonDir: repo.at('.git'), ref: REF, from, to, checkouts, owner: gone() }
  const notes = path.join(yard.git.folder, 'moves', '00')
  forge({ notes, dir: repo.at('.git/toryo/moves/00'), record, steps: outside })
  expect(await finishMove(yard.git, await openRepository(yard.git, repo.root))).toBe(1)
  expectUntouched(home)
  expect(existsSync(repo.at('.git/.config'))).toBe(false)
  for (const way of ['a', 'sub/b', 'new/deep/x']) expect(isPlainWay(repo.root, way)).toBe(true)
  for (const way of ['', '/a', 'a/b', 'a//b', './a', '.GIT/config', 'sub/.git/config', 'link/x'])
    expect(isPlainWay(repo.root, way)).toBe(false)
})

test('a folder that became a link while files were placed is not written through', async () => {
  using yard = new Yard()
  const { repo, from, to } = site(yard)
  const outside = path.join(yard.home, 'outside')
  const answer = await moveBase(yard.git, await openRepository(yard.git, repo.root), {
    ref: REF,
    from,
    to,
    watch: step => {
      if (step !== 'placed a') return
      renameSync(repo.at('sub'), outside)
      symlinkSync(outside, repo.at('sub'))
    },
  })
  expect(answer).toEqual({ waits: 'dirty', path: repo.root, files: ['sub/b'] })
  expect(readFileSync(path.join(outside, 'b'), 'utf8')).toBe('one\n')
  expect(readFileSync(repo.at('a'), 'utf8')).toBe('one\n')
})

test.each(['{', '{}', 'null', '{"checkouts":7}'])('a record or plan that says %s is set aside', async text => {
  using yard = new Yard()
  const { repo, from, to } = site(yard)
  const repository = await openRepository(yard.git, repo.root)
  const checkouts = [{ path: repo.root, gitDir: repo.at('.git') }]
  const record = { commonDir: repo.at('.git'), ref: REF, from, to, checkouts, owner: gone() }
  for (const [name, file] of [
    ['00', 'record.json'],
    ['01', '0/plan.json'],
  ] as const) {
    const notes = path.join(yard.git.folder, 'moves', name)
    forge({ notes, dir: repo.at(`.git/toryo/moves/${name}`), record, steps: [] })
    writeFileSync(path.join(notes, file), text)
  }
  await finishMove(yard.git, repository)
  expect(readdirSync(path.join(yard.git.folder, 'moves'))).toEqual([])
  expect(readdirSync(path.join(yard.git.folder, 'moves-set-aside'))).toHaveLength(2)
  expect(await moveBase(yard.git, repository, { ref: REF, from, to })).toBe('moved')
})

test.each(['toryo', 'toryo/moves'])('a link in the place of %s is moved out of the way', async name => {
  using yard = new Yard()
  const { repo, from, to } = site(yard)
  const { home } = victim(yard)
  mkdirSync(path.dirname(repo.at(`.git/${name}`)), { recursive: true })
  symlinkSync(home, repo.at(`.git/${name}`))
  const repository = await openRepository(yard.git, repo.root)
  expect(await moveBase(yard.git, repository, { ref: REF, from, to })).toBe('moved')
  expectUntouched(home)
})

test('what a crashed move left and nobody could finish waits for two weeks; what is under way stays', async () => {
  using yard = new Yard()
  const { repo } = site(yard)
  const repository = await openRepository(yard.git, repo.root)
  const moves = path.join(repo.root, '.git/toryo/moves')
  const aside = path.join(yard.git.folder, 'moves-set-aside')
  const names = ['0', '1', '2', '3'].map(digit => digit.repeat(16))
  const [old, fresh, owned, broken] = names as [string, string, string, string]
  for (const dir of names) put(path.join(moves, dir, '0/aside/0'))
  for (const dir of [old, fresh]) put(path.join(aside, dir, 'record.json'))
  // Of another repository, as far as its record says: its owner looks after it.
  const record = { commonDir: '/elsewhere', ref: REF, from: 'a', to: 'b', checkouts: [], owner: ownMark() }
  put(path.join(yard.git.folder, 'moves', owned, 'record.json'), JSON.stringify(record))
  put(path.join(yard.git.folder, 'moves', broken, 'record.json'))
  put(path.join(moves, 'by-hand', 'x'))
  const longAgo = new Date(Date.now() - 15 * 24 * 3600_000)
  const aged = [...[old, owned, broken, 'by-hand'].map(name => path.join(moves, name)), path.join(aside, old)]
  for (const place of aged) utimesSync(place, longAgo, longAgo)
  await finishMove(yard.git, repository)
  // What says nothing was set aside just now: its two weeks begin.
  expect(readdirSync(moves).sort()).toEqual([fresh, owned, broken, 'by-hand'].sort())
  expect(readdirSync(aside)).toHaveLength(2)
  expect(existsSync(path.join(aside, old))).toBe(false)
})

function put(file: string, text = 'x'): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
