export const phase3 = {
  en: `# Phase 3: Implementation

Build what the plan says, task by task, so that the whole works after each step.

## What to produce

- The code of every task of the plan, with its tests and the documentation that its users need.
- A history in small commits, each of which builds and passes.
- A board that is true at any time: what is done is done, what is blocked says why.

## How to work

1. Begin with the plan and what is known: the results below, get_phase_context with "phase1" and "phase2", list_tasks, and for a task get_task and get_task_context. If you were started for one task, authenticate and get_my_task tell you which.
2. One task at a time: read its text, look at the code it concerns, write the test that shows it is missing, make it pass, clean up, run all checks, commit. Set it to in_progress and done with update_task_status; as a signed-in agent, end it with report_completed.
3. Independent tasks can go side by side: create_group, then run_agents with one clear task text each, then wait_agent; or gwt_launch_agent for an agent in a terminal with a worktree of its own. Join their work one after another, and run all tests after each.
4. Stay within the task. What you find beside it (a bug, a wish, a doubt about the design) becomes a new task or an add-log entry, not a detour.
5. When the design turns out to be wrong: stop, write down what you found, decide with add-decision (supersedes names the earlier decision), and bring docs/design.md up to date before you go on.
6. Pass work on with create_handoff when another agent must continue: what is done, what is not, the next step, what to watch out for.

## How to check it

- All tests and checks pass, by the commands of the README, and you have seen the output yourself. Nothing is skipped or weakened to get there.
- Each requirement of a finished task is shown by a test that would fail without the code.
- Errors are handled where they can happen: bad input, missing files, no network, two at once, a stop half way.
- Start the product and use the new part as a user would. Look at it.
- Read your own diff before each commit as a reviewer who trusts nothing: leftovers, secrets, guesses, names.

## When to save

Call save_phase_result after each milestone and before each risky step, and save_context for the task at hand at least once an hour. Put into data: tasks done, tasks left, the branch or commit, the next step. The next agent begins there.

## When to move on

When every task of the plan is done or deliberately dropped (with the reason recorded), call transition_to_next_phase with currentPhase "phase3", status "completed", the main files, and a summary: what was built, how it differs from the plan, what the verification should look at hardest. Use "partial" if something usable stands but tasks are left; list them. Use "failed" only if the goal cannot be reached this way, with the evidence.`,
  ja: `# Phase 3: 実装

計画どおりに、タスクを一つずつ、どの段階でも全体が動くように作ります。

## 作るもの

- 計画にある全タスクのコードと、そのテスト、利用者に必要な文書。
- 小さなコミットの履歴。どのコミットでもビルドとテストが通る。
- いつ見ても正しいボード。終わったものは done、止まっているものには理由がある。

## 進め方

1. 計画と分かっていることから始めます。下記の結果、"phase1" と "phase2" の get_phase_context、list_tasks、個々のタスクは get_task と get_task_context。タスクのために起動された場合は、authenticate と get_my_task で担当が分かります。
2. 一度に一つのタスクに取り組みます。説明を読み、関係するコードを見て、未実装であることを示すテストを書き、通し、整え、すべての検査を実行し、コミットします。update_task_status で in_progress と done にします。サインイン済みのエージェントは report_completed で終えます。
3. 独立したタスクは並行して進められます。create_group の後、run_agents に明確な説明を一つずつ渡し、wait_agent で待ちます。専用の作業ツリーとターミナルが要るなら gwt_launch_agent を使います。成果は一つずつ取り込み、そのたびに全テストを実行します。
4. タスクの範囲を守ります。途中で見つけたこと (不具合、要望、設計への疑問) は寄り道せず、新しいタスクか add-log の記録にします。
5. 設計の誤りに気付いたら、手を止めて分かったことを書き、add-decision で決め直し (supersedes に以前の決定を指定)、docs/design.md を更新してから続けます。
6. 他の担当に続きを任せるときは create_handoff で渡します。済んだこと、残っていること、次の一手、注意点を書きます。

## 確かめ方

- README のコマンドで、すべてのテストと検査が通ることを自分の目で見た。通すために省いたり弱めたりしていない。
- 終えたタスクの要件それぞれに、そのコードがなければ失敗するテストがある。
- 起こり得る場所でエラーを扱っている。不正な入力、ないファイル、通信断、同時実行、途中での停止。
- 製品を起動し、新しい部分を利用者として使い、目で確かめた。
- コミットの前に、誰も信用しない査読者のつもりで自分の差分を読んだ。消し忘れ、秘密情報、思い込み、名前。

## 保存するとき

マイルストーンごと、リスクのある作業の前に save_phase_result を呼びます。作業中のタスクは少なくとも一時間に一度 save_context で保存します。data には、済んだタスク、残りのタスク、ブランチかコミット、次の一手を入れます。後から来る人はそこから始めます。

## 次へ進むとき

計画の全タスクが終わったか、理由を記録して取りやめたら、transition_to_next_phase を currentPhase "phase3"、status "completed" で呼び、主なファイルと、summary に作ったもの、計画との違い、検証で特に見るべきところを書きます。使えるものはできたがタスクが残るなら "partial" とし、それを並べます。この方法では目的に届かないときだけ "failed" とし、根拠を書きます。`,
}
