// One editor at a time among all programs that share a TORYO_HOME.
import { checkFolder } from '#client/trusted-path.ts'
import { type FileLock, takeFileLock } from '#system/file-lock.ts'
import { type Disk, makeFolder } from '#system/files.ts'
import type { ProcessMark } from '#system/process-identity.ts'

/** Undefined when others kept it for about thirty seconds. */
export async function takeEditLock(disk: Disk, folder: string, mark: ProcessMark): Promise<FileLock | undefined> {
  makeFolder(disk, folder)
  checkFolder(folder)
  return takeFileLock(disk, folder, mark)
}
