// What is said of work that did not merge: one sentence, wherever a person decides what to do about it.
import type { Text } from '#contract/errors.ts'
import type { MergeView } from '#contract/thread.ts'
import { visibleLine } from './escape.ts'
import type { Io } from './io.ts'

const SHOWN = 3

type Parted = Pick<MergeView, 'handle' | 'base' | 'files' | 'check' | 'stage' | 'agent_id'>

/** `↩ shop-5: does not merge with main (README.md); back to Claude` */
export function returnedLine(merge: Parted, nameOf: (agentId: string) => string, io: Pick<Io, 'say'>): string {
  const { handle, base, files, check, stage, agent_id: agent } = merge
  const what = io.say(check === null ? notMerging(base, files) : words.failed(visibleLine(check), visibleLine(base)))
  const who = visibleLine(agent === null ? '' : nameOf(agent))
  const where = io.say(stage === 'working' ? words.back(who) : (words.stages[stage] ?? words.stays))
  return `↩ ${handle}: ${what}${io.say(words.and)}${where}`
}

/** `main`, or `main on attic (/home/aoi/shop)` where each machine has a clone of its own. */
export function baseOf({ base, merged_on: place }: Pick<MergeView, 'base' | 'merged_on'>): Text {
  const name = visibleLine(base)
  if (!place) return { en: name, ja: name }
  const folder = visibleLine(place.folder)
  const machine = place.machine === null ? null : visibleLine(place.machine)
  return {
    en: machine === null ? `${name} in ${folder} of another machine` : `${name} on ${machine} (${folder})`,
    ja: machine === null ? `別のマシンの ${folder} の ${name}` : `${machine} (${folder}) の ${name}`,
  }
}

export function notMerging(base: string, files: readonly string[]): Text {
  const more = files.length > SHOWN ? ', …' : ''
  const names = files.slice(0, SHOWN).map(visibleLine).join(', ') + more
  return {
    en: `does not merge with ${visibleLine(base)} (${names})`,
    ja: `${visibleLine(base)} とマージできません (${names})`,
  }
}

const words = {
  and: { en: '; ', ja: '。' },
  failed: (check: string, base: string) => ({
    en: `check ${check} failed merged with ${base}`,
    ja: `${base} とマージするとチェック ${check} が失敗します`,
  }),
  back: (who: string) => ({
    en: who === '' ? 'it has no agent' : `back to ${who}`,
    ja: who === '' ? '担当がいません' : `${who} に差し戻しました`,
  }),
  stays: { en: 'it has not been started again', ja: 'まだ再開していません' },
  stages: {
    blocked: { en: 'it waits for you', ja: 'あなたの対応を待っています' },
    checking: { en: 'reported again', ja: '再び報告されました' },
    review: { en: 'reported again', ja: '再び報告されました' },
  } as Partial<Record<MergeView['stage'], Text>>,
}
