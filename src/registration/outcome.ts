// What became of one config file, and the sentence for people.
import type { Text } from '#contract/errors.ts'
import { REGISTERED_NAME } from '#contract/limits.ts'
import type { Unusable } from './format.ts'

export type State =
  | 'added'
  | 'present'
  | 'repaired'
  | 'updated'
  | 'absent'
  | 'removed'
  | 'gone'
  | 'foreign'
  | 'changed'
  | 'held'
  | 'skipped'

export type Outcome = {
  readonly engine: string
  readonly file: string
  readonly state: State
  readonly text: Text
  /** Something for a person to look at. */
  readonly warning: boolean
  /** Only when nothing was carried out. */
  readonly diff?: string
}

type Where = { readonly engine: string; readonly file: string }

export const outcomes = {
  added: ({ engine, file }: Where) => say(engine, file, 'added', { en: 'registered', ja: '登録しました' }),
  present: ({ engine, file }: Where) =>
    say(engine, file, 'present', { en: 'already registered', ja: '既に登録されています' }),
  repaired: ({ engine, file }: Where) =>
    say(engine, file, 'repaired', {
      en: 'left by a hub that ended without cleaning up; taken over',
      ja: '異常終了したハブの登録を引き継ぎました',
    }),
  updated: ({ engine, file }: Where) =>
    say(engine, file, 'updated', { en: 'brought up to date', ja: '登録を更新しました' }),
  /** Nothing was carried out. */
  wouldChange: (outcome: Outcome, diff: string): Outcome => {
    const { engine, file, state } = outcome
    const what = { en: 'would be changed like this', ja: '次のように変更します' }
    return { ...say(engine, file, state, what), diff }
  },
  absent: ({ engine, file }: Where) =>
    say(engine, file, 'absent', { en: 'not there; nothing to do', ja: '設定ファイルがなく、何もしていません' }),
  removed: ({ engine, file }: Where) => say(engine, file, 'removed', { en: 'removed', ja: '登録を削除しました' }),
  gone: ({ engine, file }: Where) =>
    say(engine, file, 'gone', { en: 'the entry was gone already', ja: '登録は既にありません' }),
  foreign: ({ engine, file }: Where, works: boolean) =>
    works
      ? say(engine, file, 'foreign', {
          en: 'has this entry already, not made by Toryo; left as it is',
          ja: 'Toryo 以外が作った同じ登録があるため、そのままにします',
        })
      : say(
          engine,
          file,
          'foreign',
          {
            en: `has another entry named ${REGISTERED_NAME}, which is not ours; left as it is. Rename or remove it manually to register`,
            ja: `${REGISTERED_NAME} という別の登録があるため、変更していません。登録するには手で名前を変えるか削除してください`,
          },
          true,
        ),
  changed: ({ engine, file }: Where) =>
    say(
      engine,
      file,
      'changed',
      {
        en: 'the entry was changed since, so it is left there; remove it manually if you do not want it',
        ja: '登録が変更されているため残しました。不要なら手動で削除してください',
      },
      true,
    ),
  held: ({ engine, file }: Where, who: string) =>
    say(
      engine,
      file,
      'held',
      { en: `belongs to a hub that runs (${who})`, ja: `動いているハブのものです (${who})` },
      true,
    ),
  busy: ({ engine, file }: Where) =>
    say(
      engine,
      file,
      'skipped',
      {
        en: 'another program kept changing it; left as it is',
        ja: '他のプログラムが変更を続けているため、そのままにしました',
      },
      true,
    ),
  locked: ({ engine, file }: Where, lock: string) =>
    say(
      engine,
      file,
      'skipped',
      {
        en: `left as it is: a process of ${engine} keeps it locked (${lock}). Try again later`,
        ja: `${engine} のプロセスがロックしているため変更していません (${lock})。後で再試行してください`,
      },
      true,
    ),
  skipped: ({ engine, file }: Where, { text, line }: Unusable) => {
    const place = line === undefined ? '' : `:${line}`
    return say(
      engine,
      file + place,
      'skipped',
      { en: `left as it is: ${text.en}`, ja: `変更していません: ${text.ja}` },
      true,
      file,
    )
  },
}

function say(engine: string, place: string, state: State, what: Text, warning = false, file = place): Outcome {
  return { engine, file, state, warning, text: { en: `${place}: ${what.en}`, ja: `${place}: ${what.ja}` } }
}
