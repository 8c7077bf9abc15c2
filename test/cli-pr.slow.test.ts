// `toryo task pr` with the real git, a remote in a folder and a scripted `gh`, in both languages.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '#cli/run.ts'
import { type FakeIo, fakeIo } from './fake-io.ts'
import { run as git } from './git.ts'
import { checkOutput } from './json-output.ts'
import { inShop, put, reached, report, rows, type Shop } from './thread.ts'
import { until } from './until.ts'

const URL = 'https://example.org/shop/pull/7'
const GH = `#!/bin/sh
echo "gh $*" >> "$GH_LOG"
[ "$1" = auth ] && exit "\${GH_AUTH:-0}"
cat > "$GH_LOG.body"
case "$GH_MODE" in
  exists) echo 'a pull request for branch "x" into branch "main" already exists:' >&2; echo '${URL}' >&2; exit 1;;
  fails) echo 'GraphQL: Head sha cannot be blank' >&2; exit 1;;
esac
echo '${URL}'
`

type Person = {
  run(line: string, more?: { env?: Record<string, string>; lang?: 'en' | 'ja'; answer?: string }): Promise<Ran>
  /** The lines that gh was called with, and the text that it got. */
  gh(): string[]
  body(): string
  remote: string
}
type Ran = { code: number; out: string; err: string }

/** Reported work, a remote over a path, and a person with git and gh at a terminal. */
async function atDesk(story: (shop: Shop, person: Person) => Promise<void>): Promise<void> {
  await inShop({}, async shop => {
    const { yard, hub, repo } = shop
    const remote = path.join(yard.home, 'remote.git')
    git(yard.home, ['init', '-q', '--bare', '-b', 'main', remote])
    repo.git('remote', 'add', 'origin', remote)
    repo.git('push', '-q', 'origin', 'main')
    const bin = path.join(yard.home, 'bin')
    fs.mkdirSync(bin)
    fs.writeFileSync(path.join(bin, 'gh'), GH, { mode: 0o755 })
    const log = path.join(yard.home, 'gh.log')
    const token = path.join(yard.home, 'token')
    fs.writeFileSync(token, hub.token, { mode: 0o600 })
    const env = {
      ...{ HOME: yard.home, PATH: `${bin}:${process.env['PATH']}`, GH_LOG: log },
      ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    }
    const person: Person = {
      remote,
      async run(line, { env: more = {}, lang = 'en', answer } = {}) {
        // What is refused comes in one line, as it goes into a file.
        const window = {
          ...fakeIo({ env: { ...env, ...more }, lang, width: 100, cwd: yard.home }),
          errorWidth: undefined,
        }
        const io = atTerminal(window, answer)
        const words = [...line.split(' '), '--url', hub.url, '--token-file', token]
        const code = await runCli(words, io, { hubProgram: '/nowhere/hub.js', version: '0' })
        return { code, out: io.out(), err: io.err() }
      },
      gh: () => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8').trim().split('\n') : []),
      body: () => fs.readFileSync(`${log}.body`, 'utf8'),
    }
    await story(shop, person)
  })
}

function atTerminal(io: FakeIo, answer: string | undefined): FakeIo {
  if (answer === undefined) return io
  Object.assign(io.stdin, { isTTY: true })
  ;(io.stdin as unknown as NodeJS.WritableStream).write(`${answer}\n`)
  return io
}

async function work(shop: Shop, text: string): Promise<void> {
  put(shop.path, 'cart', text)
  put(shop.path, '.env', 'PASSWORD=1')
  await report(shop, { summary: 'Adds the cart' })
  await reached(shop.hub, 'review')
}

const branch = 'toryo/shop-1-build-the-cart'
const pushed = ({ remote }: Person, ref: string) => git(remote, ['rev-parse', '-q', '--verify', ref]).trim()
const refs = ({ remote }: Person) => git(remote, ['for-each-ref', '--format=%(refname:short)']).trim().split('\n')

test('shows the exact commands and the text, and runs nothing before it is told to', async () => {
  await atDesk(async (shop, person) => {
    await work(shop, 'x')
    const shown = await person.run('task pr shop-1')
    expect(shown).toMatchObject({
      code: 1,
      err: expect.stringContaining('Nothing was run. `toryo task pr shop-1 --yes`'),
    })
    const { commit } = (await shop.hub.api('task.pr', { task_id: 'tsk_cart' })).plan
    expect(shown.out).toMatch(/^In .*, to\s.*:$/m)
    expect(shown.out).toContain(`In ${shop.repo.root}, to`)
    expect(shown.out).toContain(shop.repo.git('remote', 'get-url', 'origin').trim())
    expect(shown.out).toContain(`$ git push origin ${commit}:refs/heads/${branch}\n`)
    expect(shown.out).toContain(`$ gh pr create --head ${branch} --base main --title 'Build the cart' --body-file -`)
    expect(shown.out).toMatch(/text +Adds the cart\n/)
    expect(shown.out).toContain('opening the pull request accepts it')
    expect((await person.run('task pr shop-1', { answer: 'n' })).code).toBe(1)
    const ja = await person.run('task pr shop-1', { lang: 'ja' })
    expect(ja.err).toContain('まだ何も実行していません')
    expect(ja.out).toContain('プルリクエストを作成すると承認したことになります')
    expect(person.gh().filter(line => !line.startsWith('gh auth'))).toEqual([])
    expect(refs(person)).toEqual(['main'])
    expect(await rows(shop.hub, 'pulls')).toEqual([])
    const opened = await person.run('task pr shop-1', { answer: 'y' })
    expect(opened).toMatchObject({ code: 0, out: expect.stringContaining(`Opened ${URL}.`) })
    expect(pushed(person, branch)).toBe(commit)
    expect(git(person.remote, ['ls-tree', '--name-only', branch])).not.toContain('.env')
    expect(person.gh().at(-1)).toBe(`gh pr create --head ${branch} --base main --title Build the cart --body-file -`)
    expect(person.body()).toBe('Adds the cart\n\nToryo-Task: shop-1')
    const task = await person.run('task show shop-1')
    expect(task.out).toMatch(new RegExp(`pull request +${URL} \\(open\\)`))
    expect(task.out).toContain(`It waits for its pull request, ${URL}, and is not merged here.`)
    expect((await person.run('task show shop-1', { lang: 'ja' })).out).toContain('のマージを待っています')
    expect((await person.run('task merge shop-1')).err).toContain('has a pull request')
    expect((await person.run('task pr shop-1 --merged --closed')).code).toBe(2)
    expect(await person.run('task pr shop-1 --merged')).toMatchObject({ code: 0, out: 'shop-1 is merged.\n' })
    expect((await person.run('task show shop-1')).out).toMatch(/merge +merged into main\n/)
    expect((await person.run('task pr shop-1', { lang: 'ja' })).err).toContain('マージ済みのため')
  })
})

test('newer work replaces only what Toryo pushed itself', async () => {
  await atDesk(async (shop, person) => {
    await work(shop, 'x')
    const opened = await person.run('task pr shop-1 --yes --draft --json')
    await checkOutput(['task', 'pr'], JSON.parse(opened.out))
    const first = pushed(person, branch)
    await shop.hub.api('task.move', { task_id: 'tsk_cart', status: 'in_progress' })
    await work(shop, 'y')
    const again = await person.run('task pr shop-1 --yes')
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining(`${URL} has it.`) })
    expect(person.gh().filter(line => line.startsWith('gh pr create'))).toHaveLength(1)
    expect(git(person.remote, ['show', `${branch}:cart`])).toBe('y')
    // A colleague commits to it.
    const colleague = git(person.remote, [
      ...['-c', 'user.name=b', '-c', 'user.email=b@example.org', 'commit-tree', `${branch}^{tree}`],
      ...['-p', branch, '-m', 'by a colleague'],
    ]).trim()
    git(person.remote, ['update-ref', `refs/heads/${branch}`, colleague])
    await shop.hub.api('task.move', { task_id: 'tsk_cart', status: 'in_progress' })
    await work(shop, 'z')
    for (const [lang, said] of [
      ['en', 'commits on toryo/shop-1-build-the-cart that are not from Toryo'],
      ['ja', 'Toryo 以外のコミットがあります'],
    ] as const)
      expect(await person.run('task pr shop-1 --yes', { lang })).toMatchObject({
        code: 1,
        err: expect.stringContaining(said),
      })
    expect(pushed(person, branch)).toBe(colleague)
    expect(first).not.toBe(colleague)
  })
})

test('what stands in the way is said in one sentence with the next step, and leaves the task in its place', async () => {
  await atDesk(async (shop, person) => {
    expect((await person.run('task pr shop-1 --yes')).err).toContain('accept it first')
    await work(shop, 'x')
    const gitAlone = path.join(shop.yard.home, 'git-alone')
    fs.mkdirSync(gitAlone)
    const found = (process.env['PATH'] ?? '').split(':').find(dir => fs.existsSync(path.join(dir, 'git'))) ?? ''
    fs.symlinkSync(path.join(found, 'git'), path.join(gitAlone, 'git'))
    const ways: [env: Record<string, string>, en: string, ja: string][] = [
      [{ PATH: gitAlone }, '`gh` was not found. Install it', '`gh` が見つかりません'],
      [{ GH_AUTH: '1' }, '`gh` is not signed in. Run `gh auth login`', 'サインインしていません'],
    ]
    for (const [env, en, ja] of ways) {
      expect(await person.run('task pr shop-1 --yes', { env })).toMatchObject({
        code: 1,
        err: expect.stringContaining(en),
      })
      expect((await person.run('task pr shop-1 --yes', { env, lang: 'ja' })).err).toContain(ja)
    }
    shop.repo.git('remote', 'rename', 'origin', 'one')
    shop.repo.git('remote', 'add', 'two', '/nowhere')
    expect((await person.run('task pr shop-1 --yes')).err).toContain('several remotes (one, two)')
    expect((await person.run('task pr shop-1 --yes --remote two')).err).toContain('two cannot be reached')
    shop.repo.git('remote', 'remove', 'one')
    shop.repo.git('remote', 'remove', 'two')
    expect((await person.run('task pr shop-1 --yes')).err).toContain('has no remote to push to')
    expect(await rows(shop.hub, 'pulls')).toEqual([])
    expect(await reached(shop.hub, 'review')).toMatchObject({ pull: null })
  })
})

test('a push that is refused opens nothing; a gh that fails says what was done', async () => {
  await atDesk(async (shop, person) => {
    await work(shop, 'x')
    const hook = path.join(person.remote, 'hooks', 'pre-receive')
    fs.writeFileSync(hook, '#!/bin/sh\necho "branches are closed today" >&2; exit 1\n', { mode: 0o755 })
    const refused = await person.run('task pr shop-1 --yes')
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('The push was refused:') })
    expect(person.gh().filter(line => line.startsWith('gh pr'))).toEqual([])
    expect((await person.run('task show shop-1')).out).toContain('begun, and none was recorded')
    fs.rmSync(hook)
    const fails = { env: { GH_MODE: 'fails' } }
    expect((await person.run('task pr shop-1 --yes', fails)).err).toContain('Head sha cannot be blank')
    expect((await person.run('task pr shop-1 --yes', { ...fails, lang: 'ja' })).err).toContain(
      'ブランチは push しました',
    )
    const exists = await person.run('task pr shop-1 --yes', { env: { GH_MODE: 'exists' } })
    expect(exists.err).toContain(`\`toryo task pr shop-1\` --opened ${URL}`)
    expect(await person.run(`task pr shop-1 --opened ${URL}`)).toMatchObject({ code: 0 })
    expect(await shop.hub.api('task.show', { task_id: 'tsk_cart' })).toMatchObject({
      stage: 'queued',
      pull: { state: 'open', url: URL },
    })
    expect((await person.run('task pr shop-1 --opened javascript:alert(1)')).code).toBe(2)
    // Merged at the hoster, and fetched by the person.
    git(person.remote, ['update-ref', 'refs/heads/main', branch])
    shop.repo.git('fetch', '-q', 'origin')
    await until(async () => (await shop.hub.api('task.show', { task_id: 'tsk_cart' })).stage === 'merged')
  })
})

test('accepted work whose pull request was closed is not taken for merged', async () => {
  await atDesk(async (shop, person) => {
    await work(shop, 'x')
    expect(await person.run(`task pr shop-1 --opened ${URL}`)).toMatchObject({ code: 0 })
    expect(await person.run('task pr shop-1 --closed')).toMatchObject({ code: 0 })
    const said = async (lang: 'en' | 'ja') => (await person.run('task show shop-1', { lang })).out.replace(/\s+/g, '')
    const why =
      'Its pull request was closed: the work is accepted and is not in main. `toryo task merge shop-1` merges it here.'
    expect(await said('en')).toContain(why.replaceAll(' ', ''))
    expect(await said('en')).not.toContain('nothingmorehappens')
    expect(await said('ja')).toContain('作業は承認済みですが、mainには入っていません。')
    expect(await person.run('task merge shop-1')).toMatchObject({ code: 0 })
    await reached(shop.hub, 'merged')
    expect(await said('en')).toContain('mergedintomain')
  })
})
