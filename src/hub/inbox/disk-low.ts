import type { InboxItem } from '#contract/inbox.ts'
import { freeBytes, LOW_DISK_BYTES } from '#system/disk.ts'
import { type Facts, item } from './item.ts'

const MEGABYTE = 1_000_000

/** A disk that is nearly full, or full: then nothing can be written any more, and agents fail at it one after the other. */
export async function diskLow({ folder, lang }: Facts): Promise<InboxItem[]> {
  const free = freeBytes(folder)
  if (free >= LOW_DISK_BYTES) return []
  const megabytes = Math.floor(free / MEGABYTE)
  return [
    item({
      ...{ kind: 'disk_low', about: 'hub', title: TITLE[lang], at: null, command: 'toryo doctor' },
      detail: { en: detail.en(megabytes, folder), ja: detail.ja(megabytes, folder) }[lang],
    }),
  ]
}

const TITLE = { en: 'The disk is nearly full', ja: 'ディスクの空きがほとんどありません' }
const detail = {
  en: (megabytes: number, folder: string) =>
    `Only ${megabytes} MB are free in ${folder}. Free some space: on a full disk nothing is written any more, and agents fail.`,
  ja: (megabytes: number, folder: string) =>
    `${folder} の空きは ${megabytes} MB だけです。空きを作ってください。いっぱいになると何も書き込めず、エージェントも失敗します。`,
}
