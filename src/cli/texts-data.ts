// What backup, restore, export and import say.
import type { Text } from '#contract/errors.ts'

export const dataTexts = {
  damagedBackup: (file: string, problem: string) => ({
    en: `${file} is damaged (${problem}); nothing was changed.`,
    ja: `${file} は壊れています (${problem})。何も変更していません。`,
  }),
  strangeId: (file: string, id: string, table: string) => ({
    en: `${file} has ${id} in its table ${table}, which cannot be an id: folders are named after ids, and this would lead elsewhere. Nothing was changed.`,
    ja: `${file} のテーブル ${table} に、ID として使えない値 ${id} があります。ID はフォルダー名になるため、別の場所を指すおそれがあります。何も変更していません。`,
  }),
} satisfies Record<string, Text | ((...values: never[]) => Text)>
