export const phase2 = {
  en: `# Phase 2: Environment and skeleton

Make the ground on which all later work stands: the project installs, builds, runs and tests itself with one command each, here and on a fresh machine, and the thinnest possible version of the product already works from end to end.

## What to produce

- The layout of the repository as docs/design.md has it, with names that the later phases keep.
- Pinned dependencies and the tools around them: formatter, linter, type checker, test runner, build. No more than is needed.
- One command each to install, run, test and check, written down in README.md; the same commands in CI if the project has one.
- A walking skeleton: one real path through all parts, with a real test of it. Poor is fine, fake is not: no stubs that answer success without doing anything.
- The conventions that agents follow (AGENTS.md or what the project uses): where things go, how errors are made, how tests look.

## How to work

1. Look at what exists before you add: get_phase_context for "phase0" and "phase1", the plan, the tasks (list_tasks). In an existing project this phase adds what is missing and leaves the rest alone.
2. Check each dependency before you take it: licence, last release, known holes, that it runs on the versions you promise. Record the choice with add-decision.
3. Commit in small steps. Put no secret into the repository; name the variables that are needed in an example file.
4. Several agents will work here at once: separate worktrees, no fixed ports or shared temporary files in tests.

## How to check it

- In a fresh clone, in a new folder: install, check, test and run work by the commands of the README alone. Do it; do not reason about it.
- A test that is made to fail does fail, with a message that says what is wrong. Then undo it.
- The skeleton runs: start it and use it as a user would, and look at the result.
- The checks find a formatting, a type and a lint error each when you plant one.

## When to save

Call save_phase_result when the tools run, when the skeleton runs, and before a large installation or conversion. Put the working commands and the versions into data.

## When to move on

When the fresh clone passes, call transition_to_next_phase with currentPhase "phase2", status "completed", the files that matter, and a summary with the commands, the conventions, and anything that surprised you. Use "partial" if something is missing that the implementation can start without; name it. Use "failed" if a foundation of the design does not hold (a platform, a library, a right), with what you tried.`,
  ja: `# Phase 2: 環境構築・骨組み

後の作業すべての土台を作ります。導入、ビルド、実行、テストがそれぞれ一つのコマンドで、この環境でも新しい環境でも動き、製品の最も薄い形が端から端まで既に動く状態にします。

## 作るもの

- docs/design.md に沿ったリポジトリの構成。後のフェーズでも使い続けられる名前にする。
- 版を固定した依存関係と周辺の道具: 整形、静的検査、型検査、テスト、ビルド。必要なものだけにする。
- 導入、実行、テスト、検査のコマンドを各一つ。README.md に書き、CI があれば同じコマンドを使う。
- 動く骨組み: すべての構成要素を通る本物の経路を一つと、その本物のテスト。貧弱でもよいが、見せかけは不可。何もせず成功を返すスタブを置かない。
- エージェントが従う約束 (AGENTS.md など、プロジェクトの流儀): どこに何を置くか、エラーの作り方、テストの書き方。

## 進め方

1. 足す前に、あるものを確認します。"phase0" と "phase1" の get_phase_context、計画、タスク (list_tasks)。既存のプロジェクトでは、足りないものだけを補い、他はそのままにします。
2. 依存ライブラリは採用前に確かめます。ライセンス、最新の公開日、既知の脆弱性、約束した版で動くこと。選択は add-decision で記録します。
3. 小さくコミットします。秘密情報をリポジトリに入れません。必要な変数の名前は例のファイルに書きます。
4. 複数のエージェントが同時に作業します。作業ツリーを分け、テストでは固定ポートや共有の一時ファイルを使いません。

## 確かめ方

- 新しいフォルダーに複製し直し、README のコマンドだけで導入、検査、テスト、実行ができる。考えるだけで済ませず、実際に行う。
- わざと失敗させたテストが失敗し、何が悪いのか分かる表示になる。確かめたら元に戻す。
- 骨組みを起動し、利用者として使い、結果を目で確かめる。
- 整形、型、静的検査の誤りを一つずつ入れると、検査がそれぞれを見つける。

## 保存するとき

道具が動いたとき、骨組みが動いたとき、大きな導入や変換の前に save_phase_result を呼びます。data には動いたコマンドと版を入れます。

## 次へ進むとき

新しい複製で確認できたら、transition_to_next_phase を currentPhase "phase2"、status "completed" で呼び、主なファイルと、summary にコマンド、約束、意外だったことを書きます。足りないものがあっても実装を始められるなら "partial" とし、それを書きます。設計の前提 (環境、ライブラリ、権限) が成り立たなければ "failed" とし、試したことを書きます。`,
}
