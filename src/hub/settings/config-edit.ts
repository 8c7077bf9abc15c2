// The operator's config.json, read for the page and written by it: one value at a time, never over a change that was not seen.
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import type { Config } from '#contract/config.ts'
import type { Lang, Text } from '#contract/errors.ts'
import { type ConfigView, SettingsError } from '#contract/settings.ts'
import { ConfigError, MAX_BYTES, parseConfig } from '#kernel/config.ts'
import { create, look, replace, type Snapshot } from '#registration/config-file.ts'
import { Unusable } from '#registration/format.ts'
import { type Disk, readRegular } from '#system/files.ts'
import { edited, isSaid, othersIn, SETTINGS, settingsIn } from './config-text.ts'

export type OwnConfig = {
  readonly file: string
  readonly current: Config
  readonly problem: Text | undefined
  reload(): string[]
}

type Wish = { path: string; value: string | number | null; base_hash: string }

const EMPTY = '{}\n'

export function showConfig(config: OwnConfig, lang: Lang): ConfigView {
  const text = textOf(config.file)
  return {
    file: config.file,
    hash: text === undefined ? '' : digest(text),
    problem: config.problem?.[lang] ?? null,
    settings: settingsIn(text ?? EMPTY, config.current),
    others: othersIn(text ?? EMPTY),
  }
}

/** Answers the settings that are other than before: none when the file said so already. */
export async function editConfig(config: OwnConfig, wish: Wish, disk: Disk = fs): Promise<string[]> {
  const { path, value, base_hash: base } = wish
  const { file } = config
  if (!SETTINGS.includes(path)) throw SettingsError.SETTING_NOT_EDITABLE({ path, file })
  try {
    const seen = look(disk, file)
    // Sent again after the answer was lost: it is done.
    if (isSaid(seen?.text ?? EMPTY, path, value)) return config.reload()
    if ((seen ? digest(seen.text) : '') !== base) throw SettingsError.CONFIG_CHANGED({ file })
    const text = edited(seen?.text ?? EMPTY, path, value)
    if (text === undefined) throw new Unusable(MORE)
    check(text, path, file)
    if (!(await written(disk, file, seen, text))) throw SettingsError.CONFIG_CHANGED({ file })
  } catch (error) {
    if (error instanceof Unusable) throw SettingsError.CONFIG_UNUSABLE({ file, reason: error.text })
    throw error
  }
  return config.reload()
}

const MORE = { en: 'it cannot be edited without changing more', ja: '他の部分を変えずに編集できません' }

/** What the hub would not read must not be written. */
function check(text: string, path: string, file: string): void {
  try {
    parseConfig(text.replace(/^\uFEFF/, ''), file)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const reason = { en: reasonFor(path, error.text.en), ja: reasonFor(path, error.text.ja) }
    // Something else in the file is wrong already: it has to be put right there.
    if (reason.en === undefined || reason.ja === undefined) throw new Unusable(error.text)
    throw SettingsError.SETTING_REFUSED({ path, reason: { en: reason.en, ja: reason.ja } })
  }
}

function reasonFor(path: string, problems: string): string | undefined {
  const line = problems.split('\n').find(one => one.includes(`: ${path}: `))
  return line?.slice(line.indexOf(`: ${path}: `) + path.length + 4)
}

/** False when another writer was faster: then the file holds what it wrote. */
async function written(disk: Disk, file: string, seen: Snapshot | undefined, text: string): Promise<boolean> {
  const draft = () => `${seen?.real ?? file}.toryo-${randomBytes(8).toString('hex')}.tmp`
  if (!seen) return create(disk, file, text, draft())
  const replaced = await replace(disk, seen, text, draft(), () => true)
  if (replaced.state === 'overtook') {
    const ours = look(disk, file)
    if (ours?.text === text) await replace(disk, ours, replaced.lost, draft(), () => true)
  }
  return replaced.state === 'done'
}

function textOf(file: string): string | undefined {
  try {
    return readRegular(fs, file, MAX_BYTES)
  } catch {
    return undefined // Missing, or not to be read: `problem` says which.
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
