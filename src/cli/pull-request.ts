// Pushes a branch and opens a pull request, with the person's own git and gh, in the person's name.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import type { ApiOutput } from '#contract/api.ts'
import { CliError } from './errors.ts'
import type { Io } from './io.ts'

export type Plan = ApiOutput<'task.pr'>['plan']
export type Wish = { title: string; body: string; draft: boolean; remote: string | undefined }
export type Commands = { push: string[]; open: string[] }
type Ran = { code: number | null; out: string; err: string }

/** What git and gh have to be for it; throws a sentence when they are not. Changes nothing. */
export async function prepare(
  handle: string,
  plan: Plan,
  wish: Wish,
  isOpen: boolean,
  io: Io,
): Promise<Commands & { remote: string; url: string }> {
  const { directory, branch, base, commit } = plan
  if (!fs.existsSync(directory)) throw CliError.FAILED({ text: words.noFolder(directory) })
  if (!isOpen) await mustHaveGh(handle, directory, io)
  const remote = wish.remote ?? (await remoteFor(base, directory, io))
  const ref = `refs/heads/${branch}`
  const there = await run('git', ['ls-remote', '--end-of-options', remote, ref], directory, io)
  if (there.code !== 0) throw CliError.FAILED({ text: words.noAnswer(remote, lastLine(there)) })
  const [before = ''] = there.out.split(/\s/)
  // Only what Toryo itself has pushed for this task is ever replaced.
  const lease = plan.earlier.includes(before) ? [`--force-with-lease=${ref}:${before}`] : []
  const named = await run('git', ['remote', 'get-url', '--push', '--', remote], directory, io)
  const draft = wish.draft ? ['--draft'] : []
  const { title } = wish
  return {
    remote,
    url: named.code === 0 ? named.out.trim() : remote,
    push: ['git', 'push', ...lease, remote, `${commit}:${ref}`],
    open: ['gh', 'pr', 'create', '--head', branch, '--base', base, '--title', title, ...draft, '--body-file', '-'],
  }
}

export async function push(handle: string, { push: line }: Commands, directory: string, io: Io): Promise<void> {
  const ran = await run('git', line.slice(1), directory, io)
  if (ran.code === 0) return
  const isBehind = /\[rejected\]|non-fast-forward|stale info|fetch first/.test(ran.err)
  throw CliError.FAILED({
    text: isBehind ? words.behind(handle, line.at(-1) ?? '') : words.refused(handle, lastLine(ran)),
  })
}

/** Answers its address. */
export async function open(
  handle: string,
  { open: line }: Commands,
  body: string,
  directory: string,
  io: Io,
): Promise<string> {
  const ran = await run('gh', line.slice(1), directory, io, body)
  const url = /https?:\/\/[!-~]+/.exec(ran.code === 0 ? ran.out : ran.err)?.[0]
  if (ran.code === 0 && url !== undefined) return url
  if (/already exists/.test(ran.err) && url !== undefined) throw CliError.FAILED({ text: words.exists(handle, url) })
  throw CliError.FAILED({ text: words.notOpened(handle, lastLine(ran)) })
}

async function mustHaveGh(handle: string, directory: string, io: Io): Promise<void> {
  const { code, err } = await run('gh', ['auth', 'status'], directory, io)
  if (code === 0) return
  throw CliError.FAILED({ text: code === null && err === MISSING ? words.noGh(handle) : words.notSignedIn(handle) })
}

/** Where the base comes from, else the usual one, else the only one. */
async function remoteFor(base: string, directory: string, io: Io): Promise<string> {
  const configured = await run('git', ['config', '--get', `branch.${base}.remote`], directory, io)
  const listed = await run('git', ['remote'], directory, io)
  const names = listed.out.split('\n').filter(Boolean)
  const chosen = [configured.out.trim(), 'origin'].find(name => names.includes(name))
  if (chosen !== undefined) return chosen
  if (names.length === 1) return names[0] as string
  throw CliError.FAILED({ text: names.length === 0 ? words.noRemote(directory) : words.whichRemote(names.join(', ')) })
}

const MISSING = 'ENOENT'

function run(program: string, args: readonly string[], cwd: string, io: Io, stdin = ''): Promise<Ran> {
  // Git asks for a password on the terminal itself; gh would ask where it cannot be seen.
  const env = { ...io.env, GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1' }
  return new Promise(resolve => {
    const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
    const said = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
    child.stdin.on('error', () => {}) // It did not want to read it.
    child.on('error', (error: NodeJS.ErrnoException) => resolve({ code: null, out: '', err: error.code ?? '' }))
    child.on('close', code => resolve({ code, ...said }))
    child.stdin.end(stdin)
  })
}

const SAID_CHARS = 300

function lastLine({ err, out, code }: Ran): string {
  const lines = `${out}\n${err}`.split('\n').filter(line => line.trim() !== '')
  const telling = lines.findLast(line => /^(?:fatal|error|remote: \S|!|\S+: )/i.test(line.trim())) ?? lines.at(-1)
  return telling?.trim().slice(0, SAID_CHARS) ?? `exit code ${code ?? 'unknown'}`
}

/** As it can be typed into a shell. */
export function asTyped(line: readonly string[]): string {
  return line.map(word => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
}

const again = (handle: string) => `\`toryo task pr ${handle}\``

const words = {
  noFolder: (directory: string) => ({
    en: `The repository is in ${directory} on the machine of the hub, and not on this one. Run this there.`,
    ja: `リポジトリはハブのマシンの ${directory} にあり、このマシンにはありません。ハブのマシンで実行してください。`,
  }),
  noGh: (handle: string) => ({
    en: `\`gh\` was not found. Install it (https://cli.github.com), or open the pull request yourself and record it: ${again(handle)} --opened <address>.`,
    ja: `\`gh\` が見つかりません。インストールする (https://cli.github.com) か、自分でプルリクエストを作成して ${again(handle)} --opened <URL> で記録してください。`,
  }),
  notSignedIn: (handle: string) => ({
    en: `\`gh\` is not signed in. Run \`gh auth login\`, then ${again(handle)} again.`,
    ja: `\`gh\` にサインインしていません。\`gh auth login\` の後、もう一度 ${again(handle)} を実行してください。`,
  }),
  noRemote: (directory: string) => ({
    en: `The repository in ${directory} has no remote to push to. Add one with \`git remote add origin <address>\`.`,
    ja: `${directory} のリポジトリには push 先のリモートがありません。\`git remote add origin <URL>\` で追加してください。`,
  }),
  whichRemote: (names: string) => ({
    en: `The repository has several remotes (${names}). Name one with --remote.`,
    ja: `リモートが複数あります (${names})。--remote で指定してください。`,
  }),
  noAnswer: (remote: string, said: string) => ({
    en: `${remote} cannot be reached, and nothing was pushed: ${said}. Check it with \`git ls-remote ${remote}\`, then try again.`,
    ja: `${remote} に接続できないため、何も push していません: ${said}。\`git ls-remote ${remote}\` で確認してから再実行してください。`,
  }),
  behind: (handle: string, ref: string) => ({
    en: `The push was refused: the remote has commits on ${ref.replace(/^.*:refs\/heads\//, '')} that are not from Toryo. Bring them into the workspace of ${handle} or remove that branch, then try again. ${handle} stays out of the queue; \`toryo task merge ${handle}\` puts it back.`,
    ja: `push が拒否されました。リモートの ${ref.replace(/^.*:refs\/heads\//, '')} に Toryo 以外のコミットがあります。${handle} のワークスペースに取り込むか、そのブランチを削除して再実行してください。${handle} はキューから外れたままです (\`toryo task merge ${handle}\` で戻せます)。`,
  }),
  refused: (handle: string, said: string) => ({
    en: `The push was refused: ${said}. No pull request was opened. Fix that and try again; ${handle} stays out of the queue until then, or until \`toryo task merge ${handle}\` puts it back.`,
    ja: `push が拒否されました: ${said}。プルリクエストは作成していません。原因を直して再実行してください。それまで ${handle} はキューから外れます (\`toryo task merge ${handle}\` で戻せます)。`,
  }),
  exists: (handle: string, url: string) => ({
    en: `The branch has a pull request already, and the push has updated it: ${url}. Record it with ${again(handle)} --opened ${url}.`,
    ja: `このブランチにはすでにプルリクエストがあり、push で更新されました: ${url}。${again(handle)} --opened ${url} で記録してください。`,
  }),
  notOpened: (handle: string, said: string) => ({
    en: `The branch was pushed, but \`gh\` could not open a pull request: ${said}. Fix that and run ${again(handle)} again, or open it yourself and record it with --opened.`,
    ja: `ブランチは push しましたが、\`gh\` でプルリクエストを作成できませんでした: ${said}。原因を直してもう一度 ${again(handle)} を実行するか、自分で作成して --opened で記録してください。`,
  }),
}
