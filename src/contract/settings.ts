// What people set, from the page: the operator's own config.json, and Toryo's entry in the agent programs' config files.
import { z } from 'zod'
import { error, errors, type Text } from './errors.ts'
import { eventType } from './events.ts'

export const SettingsError = errors({
  CONFIG_CHANGED: error('conflict', (p: { file: string }) => ({
    en: `${p.file} was changed meanwhile; nothing was written. Look at what it says now, and decide again.`,
    ja: `${p.file} がその間に変更されたため、書き込みませんでした。現在の内容を確認してから、もう一度決めてください。`,
  })),
  CONFIG_UNUSABLE: error('invalid', (p: { file: string; reason: Text }) => ({
    en: `${p.file} was not written: ${p.reason.en}.`,
    ja: `${p.file} には書き込みませんでした: ${p.reason.ja}。`,
  })),
  SETTING_NOT_EDITABLE: error('invalid', (p: { path: string; file: string }) => ({
    en: `${p.path} cannot be set here: it names a program, an address or a role. Edit ${p.file}; the hub reads it again when it changes.`,
    ja: `${p.path} はプログラム、アドレス、ロールのいずれかを指定する設定のため、ここでは変更できません。${p.file} を編集してください。変更はハブが自動で読み直します。`,
  })),
  SETTING_REFUSED: error('invalid', (p: { path: string; reason: string }) => ({
    en: `${p.path} cannot have this value: ${p.reason}`,
    ja: `${p.path} にこの値は設定できません: ${p.reason}`,
  })),
  REGISTRATION_CHANGED: error('conflict', (p: { file: string }) => ({
    en: `${p.file} has changed since the lines were shown; nothing was written. Look at them again.`,
    ja: `${p.file} は変更内容の表示後に変わったため、書き込みませんでした。もう一度確認してください。`,
  })),
  REGISTRATION_NOT_FOUND: error('not-found', (p: { file: string }) => ({
    en: `${p.file} is not the config file of an agent program. Use registration.list to list them.`,
    ja: `${p.file} は Toryo が対応するエージェントの設定ファイルではありません。registration.list で一覧を確認できます。`,
  })),
})

/** Settings that are other than before, such as `limits.runs`. Never their values: an address may hold a password. */
export const ConfigChanged = eventType('config.changed', z.object({ paths: z.array(z.string()) }))

export const SettingValue = z.union([z.string(), z.number()]).nullable()

export const SettingView = z.object({
  path: z.string().describe('Such as limits.runs'),
  kind: z.enum(['integer', 'number', 'text', 'choice']),
  value: SettingValue,
  default: SettingValue,
  line: z.int().nullable().describe('Where config.json says so; null: it does not, and the default holds'),
  min: z.number().nullable(),
  max: z.number().nullable(),
  choices: z.array(z.string()),
})
export type SettingView = z.infer<typeof SettingView>

export const ConfigView = z.object({
  file: z.string(),
  hash: z.string().describe('Of the file as it was read; empty: there is none'),
  problem: z.string().nullable().describe('Why the file does not hold; then the settings from before it still do'),
  settings: z.array(SettingView),
  others: z
    .array(z.object({ path: z.string(), line: z.int() }))
    .describe('What else the file sets: programs, addresses and roles, which are edited in the file'),
})
export type ConfigView = z.infer<typeof ConfigView>

export const RegistrationView = z.object({
  engine: z.string(),
  file: z.string(),
  state: z.string(),
  warning: z.boolean(),
  text: z.object({ en: z.string(), ja: z.string() }),
})
