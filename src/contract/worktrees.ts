import { z } from 'zod'
import { error, errors } from './errors.ts'
import { eventType } from './events.ts'
import { ProjectId, WorktreeId } from './id-types.ts'
import { MOST_WATCHED } from './limits.ts'
import { STATE_JA } from './state-words.ts'

/** How long a removed worktree can be brought back. */
export const TRASH_DAYS = 14

const CHANGE_STATUSES = ['added', 'modified', 'deleted', 'renamed'] as const

export const WorktreeState = z.enum(['creating', 'ready', 'removing', 'trashed', 'restoring', 'purging', 'purged'])
export type WorktreeState = z.infer<typeof WorktreeState>

/** `untrusted`: the repository names a command that no person has allowed. `pending`: it will run before the first agent does. */
export const SetupState = z.enum(['none', 'pending', 'untrusted', 'running', 'succeeded', 'failed'])
export type SetupState = z.infer<typeof SetupState>

export const WorktreeView = z.object({
  worktree_id: WorktreeId,
  project_id: ProjectId,
  path: z.string(),
  branch: z.string().nullable(),
  base: z.string(),
  /** The hub made it. Others are used and never removed. */
  own: z.boolean(),
  state: WorktreeState,
  setup: SetupState,
  setup_command: z.array(z.string()).nullable(),
  setup_error: z.string().nullable(),
  setup_log: z.string().nullable(),
  /** What is not as the repository wants it: large files that are still pointers, drivers that were not run. */
  lfs_missing: z.int(),
  drivers: z.array(z.string()),
  copied: z.int(),
  created_at: z.string(),
  trashed_at: z.string().nullable(),
  purge_at: z.string().nullable(),
  trash: z.string().nullable(),
})
export type WorktreeView = z.infer<typeof WorktreeView>

export const BranchView = z.object({
  name: z.string(),
  committed_at: z.string(),
  checked_out: z.boolean().describe('In some folder, so that git would refuse it in another'),
})

export const ChangedFileView = z.object({
  path: z.string(),
  status: z.enum(CHANGE_STATUSES),
  from: z.string().optional(),
  added: z.int().optional().describe('Lines; missing where they were not counted, or where it is not text'),
  removed: z.int().optional(),
  binary: z.boolean().optional(),
})
export type ChangedFileView = z.infer<typeof ChangedFileView>

/** What clients that watch a worktree hear as `worktree.changed`. Not stored: it is true for a moment. */
export type WorktreeChanged = { worktreeId: WorktreeId; files: number; added: number; removed: number }

/** What a client says on `/events`: the worktrees that it watches from now on, in place of those before. */
export const WatchedWorktrees = z.strictObject({ watch: z.array(WorktreeId).max(MOST_WATCHED) })

export type BranchProblem = 'empty' | 'too-long' | 'signs' | 'reserved' | 'form' | 'in-the-way'

const BRANCH_PROBLEMS: Record<BranchProblem, { en: string; ja: string }> = {
  empty: { en: 'it is empty', ja: '空です' },
  'too-long': { en: 'it is longer than 200 bytes', ja: '200 バイトを超えています' },
  signs: {
    en: 'use letters, digits and / . _ - + # @ = , ( ) % only',
    ja: '使えるのは文字、数字と / . _ - + # @ = , ( ) % だけです',
  },
  reserved: { en: 'git gives this name another meaning', ja: 'git では別の意味を持つ名前です' },
  form: { en: 'git allows no such name', ja: 'git で使えない形の名前です' },
  'in-the-way': {
    en: 'a branch whose name is a part of this one, or begins with it, is in the way',
    ja: '名前が前方で重なる別のブランチがあるため作成できません',
  },
}

export type GitFault = 'missing' | 'too-old' | 'time' | 'too-much' | 'incomplete' | 'gone' | 'failed'

const GIT_FAULTS: Record<GitFault, { en: string; ja: string }> = {
  missing: {
    en: 'it is not installed, or not in the search path of the hub; install git 2.39 or newer',
    ja: 'インストールされていないか、ハブの PATH にありません。2.39 以降を入れてください',
  },
  'too-old': { en: 'it is too old; install 2.39 or newer', ja: '古すぎます。2.39 以降を入れてください' },
  time: { en: 'it took too long', ja: '時間がかかりすぎました' },
  'too-much': { en: 'it had too much to say', ja: '出力が多すぎます' },
  incomplete: {
    en: 'objects are missing here (a partial clone?); fetch them with git, the hub fetches nothing',
    ja: 'オブジェクトが不足しています（部分クローンなど）。ハブは取得しないので、git で取得してください',
  },
  gone: { en: 'the folder is not there', ja: 'フォルダーがありません' },
  failed: { en: 'it refused', ja: '拒否されました' },
}

/** A repository is there, and git cannot read it or refuses to; with what to do about it. */
const UNREADABLE = {
  foreign: (path: string) => ({
    en: `it belongs to another user; if you trust it, run \`git config --global --add safe.directory ${inShell(path)}\``,
    ja: `別のユーザーのものです。信頼できる場合は \`git config --global --add safe.directory ${inShell(path)}\` を実行してください`,
  }),
  'newer-repository': () => ({
    en: 'it was made for a newer git than the one on this machine; update git',
    ja: 'このマシンの git より新しい形式です。git を更新してください',
  }),
  'bad-config': (path: string) => ({
    en: `its configuration is not valid; correct ${path}/config`,
    ja: `設定ファイルが正しくありません。${path}/config を修正してください`,
  }),
  'bad-head': (path: string) => ({
    en: `its HEAD is missing or damaged; write \`ref: refs/heads/<branch>\` into ${path}/HEAD`,
    ja: `HEAD がないか壊れています。${path}/HEAD に \`ref: refs/heads/<ブランチ>\` と書いてください`,
  }),
  'bad-link': () => ({
    en: 'it does not lead to a repository; run `git worktree repair` in the main checkout, or remove the file',
    ja: 'リポジトリにつながっていません。元のチェックアウトで `git worktree repair` を実行するか、このファイルを削除してください',
  }),
  'not-a-file': (path: string) => ({
    en: `${path} is not a file, and git would wait for it for ever; remove it`,
    ja: `${path} はファイルではなく、git が待ち続けてしまいます。削除してください`,
  }),
  damaged: () => ({
    en: 'parts of it are missing or damaged; restore them from a backup, or clone it again',
    ja: '一部が失われているか壊れています。バックアップから復元するか、クローンし直してください',
  }),
} satisfies Record<string, (path: string) => { en: string; ja: string }>

type UnreadableFault = keyof typeof UNREADABLE

export function isUnreadable(fault: string): fault is UnreadableFault {
  return Object.hasOwn(UNREADABLE, fault)
}

function inShell(path: string): string {
  return /^[\w./@%+=:-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}

type Unsaved = { files: string[]; moreFiles: boolean; commits: number; operation?: string }

export const WorktreeError = errors({
  INVALID_BRANCH: error('invalid', (p: { branch: string; problem: BranchProblem }) => ({
    en: `"${p.branch.slice(0, 200)}" cannot be a branch: ${BRANCH_PROBLEMS[p.problem].en}.`,
    ja: `"${p.branch.slice(0, 200)}" はブランチ名にできません: ${BRANCH_PROBLEMS[p.problem].ja}。`,
  })),
  NOT_A_REPOSITORY: error('invalid', (p: { directory: string | null }) =>
    p.directory === null
      ? {
          en: 'No project with a directory is meant; name one with project_id, or start in the directory of one.',
          ja: '対象のディレクトリがありません。project_id を指定するか、プロジェクトのディレクトリで起動してください。',
        }
      : {
          en: `${p.directory} is in no git repository; make one with \`git init\`, or choose another project.`,
          ja: `${p.directory} は git リポジトリではありません。\`git init\` するか、別のプロジェクトを選んでください。`,
        },
  ),
  REPOSITORY_UNREADABLE: error('conflict', (p: { path: string; fault: UnreadableFault; said?: string }) => {
    const why = UNREADABLE[p.fault](p.path)
    return {
      en: `The git repository ${p.path} cannot be read: ${why.en}.${p.said ? ` Details: ${p.said.slice(0, 500)}` : ''}`,
      ja: `git リポジトリ ${p.path} を読めません: ${why.ja}。${p.said ? `詳細: ${p.said.slice(0, 500)}` : ''}`,
    }
  }),
  BASE_NOT_FOUND: error('not-found', (p: { base: string }) => ({
    en: `Branch, tag or commit "${p.base.slice(0, 200)}" not found here; fetch it first if it is elsewhere.`,
    ja: `ブランチ、タグ、コミット "${p.base.slice(0, 200)}" は見つかりません。リモートにある場合は先に fetch してください。`,
  })),
  WORKTREE_IN_USE: error('conflict', (p: { branch: string; tabId: string }) => ({
    en: `The worktree of ${p.branch} is in use by ${p.tabId}; stop that tab first, or choose another branch.`,
    ja: `${p.branch} のワークツリーは ${p.tabId} が使用中です。そのタブを停止するか、別のブランチを選んでください。`,
  })),
  BRANCH_CHECKED_OUT: error('conflict', (p: { branch: string; path: string }) => ({
    en: `${p.branch} is checked out in ${p.path}; check out another branch there, or name another one.`,
    ja: `${p.branch} は ${p.path} でチェックアウトされています。そこで別のブランチに切り替えるか、別のブランチを指定してください。`,
  })),
  WORKTREE_NOT_FOUND: error('not-found', (p: { worktreeId: string }) => ({
    en: `Worktree ${p.worktreeId} not found. Use \`toryo tab worktrees\` to list them.`,
    ja: `ワークツリー ${p.worktreeId} はありません。\`toryo tab worktrees\` で一覧を確認できます。`,
  })),
  WORKTREE_GONE: error('conflict', (p: { path: string }) => ({
    en: `${p.path} is not the folder that it was: it was moved, replaced or deleted. Nothing was changed.`,
    ja: `${p.path} は元のフォルダーではありません（移動、置換、または削除されました）。何も変更していません。`,
  })),
  /** `elsewhere`: another hub made it, perhaps on another machine. */
  WORKTREE_NOT_OURS: error('conflict', (p: { path: string; elsewhere?: boolean }) =>
    p.elsewhere
      ? {
          en: `${p.path} belongs to another hub, perhaps on another machine; do this there.`,
          ja: `${p.path} は別のハブのものです (別のマシンにある可能性もあります)。そのハブで操作してください。`,
        }
      : {
          en: `${p.path} was not made by Toryo, which therefore does not remove it; use \`git worktree remove\`.`,
          ja: `${p.path} は Toryo が作成したものではないため削除しません。\`git worktree remove\` を使ってください。`,
        },
  ),
  WORKTREE_BUSY: error('conflict', (p: { path: string; by: string[] }) => ({
    en: `${p.path} is in use by ${p.by.join(', ')}; end that first.`,
    ja: `${p.path} は ${p.by.join('、')} が使用中です。先に終了してください。`,
  })),
  WORKTREE_LOCKED: error('conflict', (p: { path: string }) => ({
    en: `${p.path} is locked; \`git worktree unlock\` opens it.`,
    ja: `${p.path} はロックされています。\`git worktree unlock\` で解除できます。`,
  })),
  UNSAVED_WORK: error('conflict', (p: { path: string; unsaved: Unsaved }) => {
    const { files, moreFiles, commits, operation } = p.unsaved
    const more = moreFiles ? ', …' : ''
    const en = [
      ...(files.length > 0 ? [`files that are in no commit (${files.slice(0, 5).join(', ')}${more})`] : []),
      ...(commits > 0 ? [`${commits} commit(s) that no other branch, tag or remote has`] : []),
      ...(operation === undefined ? [] : [`an unfinished ${operation}`]),
    ]
    const ja = [
      ...(files.length > 0 ? [`コミットされていないファイル (${files.slice(0, 5).join('、')}${more})`] : []),
      ...(commits > 0 ? [`他のブランチ、タグ、リモートにないコミット ${commits} 件`] : []),
      ...(operation === undefined ? [] : [`途中の ${operation}`]),
    ]
    return {
      en: `${p.path} holds unsaved work: ${en.join('; ')}. Commit and push or merge it, or use --force: it can be restored for ${TRASH_DAYS} days.`,
      ja: `${p.path} に保存されていない作業があります: ${ja.join('、')}。コミットして push かマージをするか、--force を使ってください（${TRASH_DAYS} 日間は復元できます）。`,
    }
  }),
  WORKTREE_NOT_READY: error('conflict', (p: { worktreeId: string; state: WorktreeState }) => ({
    en: `${p.worktreeId} is ${p.state}; this works on ${p.state === 'purged' ? 'others' : 'one that is ready'} only.`,
    ja: `${p.worktreeId} の状態は「${STATE_JA[p.state]}」です。${p.state === 'purged' ? '別のワークツリーを指定してください。' : '使用可能なワークツリーでのみ実行できます。'}`,
  })),
  RESTORE_FAILED: error('conflict', (p: { worktreeId: string; files: string }) => ({
    en: `${p.worktreeId} cannot be put back into its repository; its files are whole in ${p.files}.`,
    ja: `${p.worktreeId} をリポジトリに戻せません。ファイルはすべて ${p.files} にあります。`,
  })),
  NO_SETUP: error('not-found', (p: { projectId: string }) => ({
    en: `Neither your configuration nor .toryo/config.json of ${p.projectId} names a setup command.`,
    ja: `設定にも ${p.projectId} の .toryo/config.json にもセットアップコマンドがありません。`,
  })),
  SETUP_CHANGED: error('conflict', (p: { command: readonly string[] }) => ({
    en: `The setup command is not what was shown to you; nothing was allowed. It is now ${JSON.stringify(p.command)}.`,
    ja: `セットアップコマンドが表示された内容から変わっているため、許可していません。現在のコマンド: ${JSON.stringify(p.command)}`,
  })),
  GIT_FAILED: error('unavailable', (p: { fault: GitFault; said?: string }) => ({
    en: `git cannot be used: ${GIT_FAULTS[p.fault].en}.${p.said ? ` It said: ${p.said.slice(0, 500)}` : ''}`,
    ja: `git を使えません: ${GIT_FAULTS[p.fault].ja}。${p.said ? `git の出力: ${p.said.slice(0, 500)}` : ''}`,
  })),
})

const worktree = z.object({ worktreeId: WorktreeId, path: z.string(), branch: z.string().nullable() })
export const WorktreeCreated = eventType('worktree.created', worktree.extend({ own: z.boolean() }))
export const WorktreeRemoved = eventType(
  'worktree.removed',
  worktree.extend({ reason: z.enum(['asked', 'forced', 'incomplete', 'gone']) }),
)
export const WorktreeRestored = eventType('worktree.restored', worktree)
export const WorktreePurged = eventType('worktree.purged', worktree)
export const SetupEnded = eventType('worktree.setup_ended', worktree.extend({ setup: SetupState }))
export const SetupTrusted = eventType(
  'worktree.setup_trusted',
  z.object({ projectId: ProjectId, command: z.array(z.string()) }),
)
