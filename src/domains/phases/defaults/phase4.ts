export const phase4 = {
  en: `# Phase 4: Verification and release

Find out whether the result does what the requirements say, fix what it does not, and bring it to its users in a way that can be undone.

## What to produce

- docs/verification.md: for each requirement how it was tested, with the command or the steps, and what came out; the faults found, and what became of each; what was not tested, and why.
- The corrections, each with a test that failed before.
- The release: version, change log in the users' words, installation or migration steps, the way back.
- Documentation that matches what was built.

## How to work

1. Take the requirements of phase 0 one by one (get_phase_context with "phase0") and try to prove each wrong. An agent that did not write the code should do this: hand it over with create_handoff, or start another engine with run_agents and give it the requirements, not your explanation.
2. Test the product as it will be installed, not as it lies in your folder: from the built package, on a clean machine or container, as a new user.
3. Attack it: empty, huge and hostile input; a full disk, no network, a kill in the middle, two at once; the oldest supported version; the second start and the upgrade from the release before.
4. Measure what the requirements put into numbers, and write down the machine, the command and the result.
5. Each fault becomes a task. Fix what stands against a requirement now; decide about the rest with the person and record it (add-decision).
6. Publish only what you were told to publish. Anything that cannot be taken back (a tag on a public server, a package, a deployment, a deletion) needs the person's word first.

## How to check it

- Every requirement has a line in docs/verification.md with evidence that others can repeat.
- All tests pass on the commit that is released, in a fresh clone.
- The steps of the installation page, followed to the letter by a newcomer, lead to a running product; so does the way back.
- No secret, no path of a developer's machine, and no licence you may not ship is in the package.

## When to save

Call save_phase_result after each group of requirements, and before each step of the release. Put into data what passed, what failed, and how far the release is.

## When to move on

This is the last phase. When everything is shown and released, or ready for the person to release, call transition_to_next_phase with currentPhase "phase4", status "completed", the files, and a summary: what was released, what is known not to work, what should come next. Use "partial" if it goes out with known gaps; list them. Use "failed" if it must not be released, with the requirement that it breaks.`,
  ja: `# Phase 4: 検証・リリース

結果が要件を満たしているかを確かめ、満たさないところを直し、元に戻せる形で利用者に届けます。

## 作るもの

- docs/verification.md: 要件ごとに、どう試験したか (コマンドか手順) とその結果。見つけた不具合とその扱い。試験していないことと理由。
- 修正。それぞれ、修正前に失敗するテストを伴う。
- リリース: 版、利用者の言葉で書いた変更履歴、導入や移行の手順、元に戻す方法。
- 作ったものと一致する文書。

## 進め方

1. フェーズ 0 の要件を一つずつ取り上げ (get_phase_context の "phase0")、満たしていないことを示すつもりで試します。コードを書いていない人が行うべきです。create_handoff で渡すか、run_agents で別のエンジンを起動し、あなたの説明ではなく要件を渡します。
2. 手元のフォルダーではなく、導入される形で試します。ビルドしたパッケージを、何もない環境かコンテナで、初めての利用者として使います。
3. 攻めます。空、巨大、悪意のある入力。ディスク不足、通信断、途中での強制終了、同時実行。対応する最も古い版。二度目の起動と、前の版からの更新。
4. 要件が数値で定めることを測り、環境、コマンド、結果を書きます。
5. 不具合はそれぞれタスクにします。要件に反するものは今直します。残りは本人と相談して決め、add-decision で記録します。
6. 公開するのは、指示されたものだけです。取り消せないこと (公開サーバーのタグ、パッケージ、配備、削除) は、先に本人の了承を得ます。

## 確かめ方

- どの要件にも docs/verification.md に一行があり、他の人が再現できる証拠がある。
- リリースするコミットで、新しく複製した環境ですべてのテストが通る。
- 導入手順を、初めての人が文字どおりに実行して製品が動く。元に戻す手順も同様に動く。
- 秘密情報、開発者の環境のパス、配布できないライセンスのものがパッケージに入っていない。

## 保存するとき

要件のまとまりごと、リリースの各手順の前に save_phase_result を呼びます。data には、合格したもの、不合格のもの、リリースの進み具合を入れます。

## 次へ進むとき

これが最後のフェーズです。すべてを示してリリースした、または本人がリリースできる状態にしたら、transition_to_next_phase を currentPhase "phase4"、status "completed" で呼び、ファイルと、summary に公開したもの、動かないと分かっていること、次に行うべきことを書きます。分かっている不足を残して出すなら "partial" とし、それを並べます。リリースしてはならないなら "failed" とし、反している要件を書きます。`,
}
