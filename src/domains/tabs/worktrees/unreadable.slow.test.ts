// Repositories that this git cannot read, or refuses to, are named as what they are, with the next step; and what people change
// with `git config --global` holds from the next call on.
import { lchownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { type Repo, run, Yard } from '#test/git.ts'
import { testHub } from '#test/hub.ts'

async function world() {
  const yard = new Yard()
  const home = path.join(yard.home, 'user')
  mkdirSync(home)
  // The hub takes its own environment.
  vi.stubEnv('HOME', home)
  const hub = await testHub({ config: { engines: { tui: { terminal: ['/bin/cat'] } } } })
  const global = (...args: string[]) => run(home, ['config', '--file', path.join(home, '.gitconfig'), ...args])
  /** What the caller of a launch gets: by project, and from a client in a folder of it. */
  const launch = async (root: string) => {
    const branch = { agent_id: 'tui', branch: 'x' }
    const near = await hub.connect({ directory: root })
    const name = path.basename(root)
    await hub.api('project.add', { id: `prj_${name}`, name, directory: root })
    const answers = [
      await near.call('gwt_launch_agent', branch),
      await hub.call('gwt_launch_agent', { ...branch, project_id: `prj_${name}` }),
    ]
    return answers.map(({ body, isError }) => ({ isError, code: body['code'], message: String(body['message']) }))
  }
  return {
    yard,
    hub,
    global,
    launch,
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]()
      yard[Symbol.dispose]()
      vi.unstubAllEnvs()
    },
  }
}

const damages: [name: string, harm: (repo: Repo) => void, said: RegExp][] = [
  [
    'a newer format',
    repo => repo.git('config', 'core.repositoryformatversion', '99'),
    /\.git cannot be read: it was made for a newer git .*update git\. Details: git \d.*found 99/s,
  ],
  [
    'an extension that this git does not know',
    repo => {
      repo.git('config', 'core.repositoryformatversion', '1')
      repo.git('config', 'extensions.madeUpByTomorrow', 'yes')
    },
    /it was made for a newer git .*update git\. Details: .*madeupbytomorrow/s,
  ],
  [
    'a HEAD of rubbish',
    repo => repo.write('.git/HEAD', 'garbage\n'),
    /HEAD is missing or damaged; write .*\.git\/HEAD/,
  ],
  ['an empty HEAD', repo => repo.write('.git/HEAD', ''), /HEAD is missing or damaged/],
  ['no HEAD', repo => rmSync(repo.at('.git/HEAD')), /HEAD is missing or damaged/],
  ['no objects', repo => rmSync(repo.at('.git/objects'), { recursive: true }), /parts of it are missing.*objects/s],
  ['no refs', repo => rmSync(repo.at('.git/refs'), { recursive: true }), /parts of it are missing.*refs/s],
  [
    'a configuration with a typo',
    repo => repo.write('.git/config', '[core\n'),
    /configuration is not valid; correct .*\.git\/config/,
  ],
  [
    'a wrong number in its configuration',
    repo => repo.write('.git/config', '[core]\n\trepositoryformatversion = one\n'),
    /configuration is not valid/,
  ],
  [
    'a link that leads nowhere',
    repo => {
      rmSync(repo.at('.git'), { recursive: true })
      repo.write('.git', 'gitdir: /no/such/folder\n')
    },
    /\.git cannot be read: it does not lead to a repository; run `git worktree repair`/,
  ],
  [
    'a file that is not a link',
    repo => {
      rmSync(repo.at('.git'), { recursive: true })
      repo.write('.git', 'hello\n')
    },
    /it does not lead to a repository/,
  ],
  [
    'a branch of rubbish',
    repo => repo.write('.git/refs/heads/main', 'rubbish\n'),
    /parts of it are missing or damaged.*refs\/heads\/main/s,
  ],
]

test('a repository that cannot be read is named as that, with what is wrong and the next step', async () => {
  await using w = await world()
  for (const [index, [name, harm, said]] of damages.entries()) {
    const repo = w.yard.repository(`broken-${index}`)
    repo.write('README', 'x\n')
    repo.commit()
    harm(repo)
    for (const { isError, code, message } of await w.launch(repo.root)) {
      expect({ name, isError, code, message }).toMatchObject({ name, isError: true, code: 'REPOSITORY_UNREADABLE' })
      expect([name, message]).toEqual([name, expect.stringMatching(said)])
      expect(message).not.toMatch(/git init|no git repository/)
    }
  }
})

test('a branch before its first commit is no damage, and an empty folder .git is no repository', async () => {
  await using w = await world()
  const empty = path.join(w.yard.home, 'empty')
  mkdirSync(path.join(empty, '.git'), { recursive: true })
  for (const { code } of await w.launch(empty)) expect(code).toBe('NOT_A_REPOSITORY')
  const unborn = w.yard.repository('unborn')
  const made = await w.hub.api('project.add', { id: 'prj_unborn', name: 'unborn', directory: unborn.root })
  const { state } = await w.hub.api('worktree.ensure', { project_id: made.project_id, branch: 'first' })
  expect(state).toBe('ready')
})

// Only root can give a folder to another user.
test.skipIf(process.getuid?.() !== 0)(
  'a repository of another user can be used once it is called safe, without a restart',
  async () => {
    await using w = await world()
    const repo = w.yard.repository('theirs')
    repo.write('README', 'x\n')
    repo.commit()
    lchownSync(repo.at('.git'), 65_534, 65_534)
    for (const { code, message } of await w.launch(repo.root)) {
      expect(code).toBe('REPOSITORY_UNREADABLE')
      expect(message).toBe(
        `The git repository ${repo.root} cannot be read: it belongs to another user; if you trust it, run \`git config --global --add safe.directory ${repo.root}\`.`,
      )
    }
    w.global('--add', 'safe.directory', repo.root)
    expect((await w.hub.api('worktree.ensure', { project_id: 'prj_theirs', branch: 'x' })).state).toBe('ready')
    w.global('--unset-all', 'safe.directory')
    const again = await w.hub.fetch('/api/worktree.ensure', {
      method: 'POST',
      body: JSON.stringify({ project_id: 'prj_theirs', branch: 'y' }),
    })
    expect(await again.json()).toMatchObject({ error: { code: 'REPOSITORY_UNREADABLE', retryable: false } })
  },
)

test('what people change in their own configuration holds from the next call on, also in a file that it includes', async () => {
  await using w = await world()
  const repo = w.yard.repository('mine')
  repo.write('README', 'x\n')
  repo.commit()
  await w.hub.api('project.add', { id: 'prj_mine', name: 'mine', directory: repo.root })
  const made = await w.hub.api('worktree.ensure', { project_id: 'prj_mine', branch: 'x' })
  for (const name of ['one.log', 'two.tmp']) writeFileSync(path.join(made.path, name), 'x\n')
  const files = async () => {
    const answer = await w.hub.api('worktree.files', { worktree_id: made.worktree_id })
    return answer.files.map(file => file.path)
  }
  expect(await files()).toEqual(['one.log', 'two.tmp'])
  writeFileSync(path.join(w.yard.home, 'ignore-logs'), '*.log\n')
  w.global('core.excludesFile', path.join(w.yard.home, 'ignore-logs'))
  expect(await files()).toEqual(['two.tmp'])
  const more = path.join(w.yard.home, 'more.config')
  w.global('--unset', 'core.excludesFile')
  w.global('include.path', more)
  expect(await files()).toEqual(['one.log', 'two.tmp'])
  writeFileSync(path.join(w.yard.home, 'ignore-tmp'), '*.tmp\n')
  writeFileSync(more, `[core]\n\texcludesFile = ${path.join(w.yard.home, 'ignore-tmp')}\n`)
  expect(await files()).toEqual(['one.log'])
})
