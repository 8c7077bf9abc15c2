// Which folders and files are believed: only those that no other user of this machine could have put there or can change.
import fs from 'node:fs'
import path from 'node:path'
import type { Text } from '#contract/errors.ts'
import { codeOf, makeFolders, openNoFollow } from '#system/files.ts'
import { ClientError, whyNotWritable } from './errors.ts'
import type { Target } from './locate.ts'

/** Makes what is missing of a database's folders (0700) and refuses those, and files in them, that are not ours alone. */
export function prepareTarget(target: Target): void {
  makeFolder(target.home)
  checkHome(target.home)
  for (const folder of foldersOf(target)) makeFolder(folder)
  for (const folder of foldersOf(target)) checkFolder(folder)
  const isShared = isOpenToOthers(target.directory)
  const drafts = target.kind === 'sqlite' ? [`${target.db}.new`, `${target.db}.whole`] : []
  for (const file of [target.statePath, ...databasesOf(target), ...drafts].flatMap(withCompanions)) {
    checkFile(file)
    if (isShared) checkNames(file)
  }
}

/**
 * In a folder where others may put files, the names that SQLite looks for beside a database are ours from now on: they are made
 * where they are missing, and refused where another user was quicker. Empty ones mean nothing to it.
 */
export function holdNames(target: Target, files: readonly string[] = databasesOf(target)): void {
  if (!isOpenToOthers(target.directory)) return
  for (const file of files)
    for (const name of withCompanions(file).slice(1)) {
      try {
        fs.closeSync(fs.openSync(name, 'wx', 0o600))
      } catch (cause) {
        if (codeOf(cause) !== 'EEXIST') throw cause
        checkFile(name)
        checkNames(name)
      }
    }
}

function databasesOf({ kind, db, lockPath }: Target): string[] {
  return kind === 'sqlite' ? [lockPath, db] : [lockPath]
}

/** What SQLite would read, apply and write to besides the file itself. */
function withCompanions(file: string): string[] {
  return ['', '-journal', '-wal', '-shm'].map(suffix => file + suffix)
}

/** Stricter: all that agents and terminals leave is below it, in folders that are made when they are needed. */
export function checkHome(home: string): void {
  checkFolder(home)
  const stats = fs.lstatSync(home)
  const uid = process.getuid?.()
  if (uid === undefined) return
  if (stats.uid !== uid) throw untrusted(home, owner(stats.uid, uid))
  if ((stats.mode & 0o002) !== 0) throw untrusted(home, openToOthers(home, 'o-w'))
}

function isOpenToOthers(folder: string): boolean {
  const stats = fs.lstatSync(folder, { throwIfNoEntry: false })
  return stats !== undefined && process.getuid !== undefined && (stats.mode & 0o022) !== 0
}

/** Where others may make names, one of them may be for one of our files that lies elsewhere. */
function checkNames(file: string): void {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false })
  if (!stats || stats.nlink === 1) return
  throw untrusted(file, {
    en: `the file has more than one name (${stats.nlink} hard links). Remove this one if you did not make it, or choose another place.`,
    ja: `このファイルには複数の名前 (ハードリンク ${stats.nlink} 個) があります。自分で作成したものでなければこの名前を削除するか、別の場所を指定してください。`,
  })
}

function lstat(file: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false })
  } catch (cause) {
    throw ClientError.PATH_NOT_USABLE({ path: file, reason: whyNotWritable(cause) }, cause)
  }
}

/** Refuses a folder that is a link, belongs to another user, or that others may write to. A missing one is safe. */
export function checkFolder(folder: string): void {
  const stats = lstat(folder)
  if (!stats) return
  if (stats.isSymbolicLink()) throw untrusted(folder, isLink(folder))
  if (!stats.isDirectory())
    throw ClientError.PATH_NOT_USABLE({
      path: folder,
      reason: { en: 'it is not a folder', ja: 'フォルダーではありません' },
    })
  const uid = process.getuid?.()
  if (uid === undefined) return
  const sticky = (stats.mode & 0o1000) !== 0
  // In a sticky folder such as a shared scratch folder no other user can replace our files, and each of those is checked on its own.
  if (stats.uid !== uid && !(stats.uid === 0 && sticky)) throw untrusted(folder, owner(stats.uid, uid))
  if (sticky) return
  if ((stats.mode & 0o002) !== 0) throw untrusted(folder, openToOthers(folder, 'o-w'))
  // Where each user has a group of their own, new folders are writable for that group.
  if ((stats.mode & 0o020) !== 0 && stats.gid !== uid) throw untrusted(folder, openToOthers(folder, 'g-w'))
}

/** Refuses a link, anything but a file, and what others own or may write to. A missing file is safe. */
export function checkFile(file: string): void {
  const stats = lstat(file)
  if (!stats) return
  if (stats.isSymbolicLink()) throw untrusted(file, isLink(file))
  checkStats(file, stats)
}

/** Reads a small file that holds a secret: ours, for our eyes only (0600), and no link. Missing: undefined. */
export function readSecretFile(file: string, limit = 64 * 1024): string | undefined {
  const fd = openSecret(file)
  if (fd === undefined) return undefined
  try {
    const stats = fs.fstatSync(fd)
    checkStats(file, stats)
    if (process.getuid && (stats.mode & 0o077) !== 0)
      throw untrusted(file, {
        en: `others can read it; it holds a secret. Run: chmod 600 ${file}`,
        ja: `秘密を含むのに他のユーザーが読める状態です。chmod 600 ${file} を実行してください`,
      })
    if (stats.size > limit) throw untrusted(file, { en: 'it is too large.', ja: '大きすぎます。' })
    return fs.readFileSync(fd, 'utf8')
  } finally {
    fs.closeSync(fd)
  }
}

function openSecret(file: string): number | undefined {
  try {
    return openNoFollow(fs, file)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (code === 'ELOOP') throw untrusted(file, isLink(file))
    if (code === 'EACCES' || code === 'EPERM' || code === 'ENXIO')
      throw untrusted(file, { en: 'it cannot be opened by you.', ja: 'あなたの権限では開けません。' })
    throw cause
  }
}

function checkStats(file: string, stats: fs.Stats): void {
  if (!stats.isFile()) throw untrusted(file, { en: 'it is not a regular file.', ja: '通常のファイルではありません。' })
  const uid = process.getuid?.()
  if (uid === undefined) return
  if (stats.uid !== uid) throw untrusted(file, owner(stats.uid, uid))
  // As with folders, a group may be the user's own.
  const others = stats.gid === uid ? 0o002 : 0o022
  if ((stats.mode & others) !== 0) throw untrusted(file, openToOthers(file, 'go-w'))
}

/** For us alone, with its parents. */
export function makeFolder(folder: string): void {
  try {
    makeFolders(folder)
  } catch (cause) {
    // A link to nowhere also ends here; it is named as such.
    checkFolder(folder)
    // Its parent is there by now: it is the file system that takes none.
    const isMissing = codeOf(cause) === 'ENOENT'
    throw ClientError.PATH_NOT_USABLE({ path: folder, reason: isMissing ? NO_FOLDERS : whyNotWritable(cause) }, cause)
  }
}

const NO_FOLDERS: Text = {
  en: 'its file system takes no new folders',
  ja: 'このファイルシステムには新しいフォルダーを作成できません',
}

function foldersOf(target: Target): string[] {
  const folders = [target.home, target.logDirectory, target.directory]
  return target.kind === 'postgres' ? [...folders, path.dirname(target.directory)] : folders
}

function untrusted(file: string, why: Text) {
  return ClientError.PATH_NOT_TRUSTED({ path: file, why })
}

function isLink(file: string): Text {
  const real = realpath(file)
  if (!real) return { en: 'it is a symbolic link.', ja: 'シンボリックリンクです。' }
  return {
    en: `it is a symbolic link; name the real path instead: ${real}`,
    ja: `シンボリックリンクです。実際のパスを指定してください: ${real}`,
  }
}

function realpath(file: string): string | undefined {
  try {
    return fs.realpathSync(file)
  } catch {
    return undefined // It leads nowhere, or where we may not look.
  }
}

function owner(actual: number, uid: number): Text {
  return {
    en: `it belongs to user ${actual}, not to you (${uid}). Remove it if that is not meant to be, or choose another place.`,
    ja: `所有者はユーザー ${actual} で、あなた (${uid}) ではありません。意図したものでなければ削除するか、別の場所を指定してください。`,
  }
}

function openToOthers(folder: string, mode: string): Text {
  return {
    en: `others may write to it. Run: chmod ${mode} ${folder}`,
    ja: `他のユーザーが書き込めます。chmod ${mode} ${folder} を実行してください`,
  }
}

/** For a hub: clients of one that runs need not write there, and may not in a sandbox. */
export function checkWritable({
  home,
  directory,
  logDirectory,
}: Pick<Target, 'home' | 'directory' | 'logDirectory'>): void {
  for (const folder of [home, directory, logDirectory])
    try {
      fs.accessSync(folder, fs.constants.W_OK)
    } catch (cause) {
      throw ClientError.PATH_NOT_USABLE({ path: folder, reason: whyNotWritable(cause) }, cause)
    }
}
