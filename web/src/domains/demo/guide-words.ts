import type { Step } from './steps.ts'

const en = {
  label: 'What to try in the demo',
  intro: 'Four agents work on a small shop. Toryo plans, checks and merges; you decide.',
  steps: {
    watch: 'Watch them work',
    answer: 'Answer Sora’s question',
    review: 'Review Aoi’s change',
    replay: 'Replay the last minutes',
  } satisfies Record<Step, string>,
  states: { later: 'not yet', now: 'can be done now', done: 'done' },
  count: (done: number, all: number) => `${done} of ${all}`,
  after: (all: number) => `${all} of ${all}. That was all of it. Next, in a project of your own:`,
  close: 'Close these hints',
}

const ja: typeof en = {
  label: 'デモで試せること',
  intro: '4 つのエージェントが店のコードで作業中。チェックとマージは Toryo、判断はあなたです。',
  steps: {
    watch: '作業を見る',
    answer: 'Sora の質問に答える',
    review: 'Aoi の変更をレビューする',
    replay: '直近の動きを再生する',
  },
  states: { later: 'まだできません', now: 'できます', done: '完了' },
  count: (done: number, all: number) => `${done} / ${all} 完了`,
  after: (all: number) => `${all} / ${all} 完了。デモはこれで終わりです。次は自分のプロジェクトで:`,
  close: 'このヒントを閉じる',
}

export const guideWords = { en, ja }
