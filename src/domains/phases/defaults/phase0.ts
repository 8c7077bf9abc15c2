export const phase0 = {
  en: `# Phase 0: Requirements and technical design

Find out what is to be built and why, and decide how, before anything is built. Write no production code in this phase; throw-away experiments that settle a question are welcome.

## What to produce

- docs/requirements.md: the problem and who has it; what the result must do, as numbered requirements (R1, R2, …) that others can test; qualities with numbers (speed, size, platforms, security); what is out of scope; open questions.
- docs/design.md: the parts and who owns which data; the flow of one typical case from end to end; interfaces, with names, types and error cases; the data model; the choices you made, the ones you rejected, and why; the risks, the largest first.

If the project keeps such pages elsewhere or in another form, follow the project.

## How to work

1. Read what is there first: README, existing documents, code, tests, open tasks (list_tasks), and what was decided before (recall, get-decisions). Do not ask for what you can look up.
2. Ask the person about what only they can know: goals, limits, taste. Ask few questions, together, each with the answer you would assume. If no answer comes, write the assumption down as one and go on.
3. For each hard choice compare at least two ways, by facts you have checked, not from memory: try the library, read its documentation, measure.
4. Record every decision that a later agent could question with add-topic and add-decision: what, why, and what speaks against it.

## How to check it

- Each requirement can be tested: you can say which input leads to which result.
- Each requirement is met by some part of the design, and no part serves no requirement.
- The design says what happens when things fail: no network, bad input, two at once, a stop half way.
- Read both pages as a reader who was not here. What would that reader have to ask? Answer it in the page.

## When to save

Call save_phase_result after the requirements stand, after each risky question is settled, and before anything long. Put into data what the next agent needs to go on: files written, questions open, the next step.

## When to move on

When both pages are written and checked and no open question blocks the plan, call transition_to_next_phase with currentPhase "phase0", status "completed", the files in outputFiles, and a summary of the decisions that bind the next phases. If something must stay open, use "partial" and name it in the summary. If the goal turns out to be impossible or contradictory, use "failed" and say why.`,
  ja: `# Phase 0: 要件定義・技術設計

作り始める前に、何をなぜ作るのかを明らかにし、どう作るかを決めます。このフェーズでは製品コードを書きません。疑問を解くための使い捨ての実験は歓迎します。

## 作るもの

- docs/requirements.md: 解決したい問題と、困っている人。満たすべきことを、他の人が試験できる番号付きの要件 (R1、R2、…) として書く。品質は数値で書く (速さ、大きさ、対応環境、安全性)。対象外とすること。未解決の質問。
- docs/design.md: 構成要素と、どのデータをどこが持つか。代表的な一例の最初から最後までの流れ。インターフェース (名前、型、エラーの場合)。データモデル。選んだ案、退けた案とその理由。リスク (大きい順)。

プロジェクトに別の置き場所や書式があれば、それに従ってください。

## 進め方

1. まず、あるものを読みます。README、既存の文書、コード、テスト、未完了のタスク (list_tasks)、過去の決定 (recall、get-decisions)。調べれば分かることは質問しません。
2. 本人にしか分からないこと (目的、制約、好み) だけを質問します。数を絞り、まとめて、あなたの想定する答えを添えて尋ねます。返事がなければ、想定であると明記して先へ進みます。
3. 難しい選択では、少なくとも二つの案を、思い込みではなく確かめた事実で比べます。ライブラリを動かし、文書を読み、測ります。
4. 後のエージェントが疑問に思いそうな決定は、add-topic と add-decision で記録します。内容、理由、反対意見を残します。

## 確かめ方

- どの要件も試験できる。どの入力からどの結果になるかを言える。
- どの要件にもそれを満たす構成要素があり、どの要件にも役立たない構成要素はない。
- 失敗したときのことが設計に書いてある。通信断、不正な入力、同時実行、途中での停止。
- その場にいなかった人のつもりで読み返す。読み手が質問しそうなことは、文書の中で答えておく。

## 保存するとき

要件がまとまったとき、リスクの高い疑問が解けたとき、時間のかかる作業の前に save_phase_result を呼びます。data には続きに必要なことを入れます。書いたファイル、未解決の質問、次の一手。

## 次へ進むとき

二つの文書を書き終えて確認し、計画を妨げる疑問がなくなったら、transition_to_next_phase を currentPhase "phase0"、status "completed" で呼びます。outputFiles にファイルを、summary に後のフェーズを縛る決定を書きます。未解決のことを残して進むなら "partial" とし、summary に書きます。目的が実現不可能、または矛盾していると分かったら "failed" とし、理由を書きます。`,
}
