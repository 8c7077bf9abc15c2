export const phase1 = {
  en: `# Phase 1: Plan and tasks

Turn requirements and design into an order of work that several agents can follow without asking each other at every step.

## What to produce

- docs/plan.md: the milestones, each with something that can be shown and tested; the tasks of each milestone; which tasks depend on which; what can go side by side; the risks and when each is met.
- The tasks themselves on the project's board. A person, or you where you can run commands, adds them with toryo task add "<title>" --project <project_id> --description "<text>" --priority <urgent|high|medium|low>. Put the task's id into the plan.

## How to work

1. Read the results of phase 0 (below, and get_phase_context with "phase0") and the decisions so far (recall, get-decisions).
2. Put the riskiest thing first: what would change the design if it failed is built before what is merely much work.
3. Cut along behaviour, not along layers: a task ends with something a user or a test can see. A task is a few hours of work for one agent, in files that no other task of the same time touches.
4. Write each task so that an agent that has read nothing else can do it: the goal, the requirements it meets (R1, …), the files and interfaces concerned, what is not part of it, and how it is known to be done, by commands to run and the results to expect.
5. Say who does what: list_agents shows the agents and their roles; assign_task gives a task to one. A task that is assigned and in_progress is picked up by its agent, so leave tasks in todo until their turn comes (update_task_status).

## How to check it

- Every requirement is met by at least one task, and every task names the requirements it meets. Make the table.
- There is no cycle among the dependencies, and after each milestone the whole still works.
- Two tasks that may run at the same time do not change the same file. If they must, make them one, or put one behind the other.
- Tests, documentation, migration and release are tasks too, not an afterthought.
- Take one task and imagine to begin it now. Whatever you would still have to look up belongs in its text.

## When to save

Call save_phase_result when the milestones stand, and again when the tasks are on the board; put the list of task ids into data.

## When to move on

Record changes against the design with add-decision and bring docs/design.md up to date first. Then call transition_to_next_phase with currentPhase "phase1", status "completed", the files, and a summary: the milestones, the first tasks, what goes side by side. Use "partial" if a part of the work cannot be planned yet, and say what it waits for. Use "failed" if the plan shows that the design cannot work; name the reason, so that it can be designed again.`,
  ja: `# Phase 1: 計画・タスク分割

要件と設計を、複数のエージェントが逐一相談しなくても進められる作業の順序に変えます。

## 作るもの

- docs/plan.md: マイルストーン (それぞれ、見せて試験できるものを伴う)。各マイルストーンのタスク。タスク間の依存。並行して進められるもの。リスクと、それに向き合う時期。
- プロジェクトのボード上のタスク。人が、またはコマンドを実行できるならあなたが、toryo task add "<題名>" --project <project_id> --description "<説明>" --priority <urgent|high|medium|low> で追加します。タスクの ID を計画に書きます。

## 進め方

1. フェーズ 0 の結果 (下記、および get_phase_context の "phase0") と、これまでの決定 (recall、get-decisions) を読みます。
2. 最もリスクの高いものを先にします。失敗すると設計が変わるものを、量が多いだけのものより先に作ります。
3. 層ではなく振る舞いで切ります。タスクの終わりには、利用者かテストから見えるものがあります。一つのタスクは一人のエージェントの数時間分で、同じ時期の他のタスクが触らないファイルを扱います。
4. 他に何も読んでいないエージェントでも取りかかれるように書きます。目的、満たす要件 (R1 など)、関係するファイルとインターフェース、含まないこと、完了の判断方法 (実行するコマンドと期待する結果)。
5. 担当を決めます。list_agents でエージェントとロールを確認し、assign_task で割り当てます。割り当て済みで in_progress のタスクは担当エージェントが自動で着手するので、順番が来るまでは todo のままにします (update_task_status)。

## 確かめ方

- どの要件にも対応するタスクがあり、どのタスクも満たす要件を挙げている。対応表を作る。
- 依存関係に循環がなく、どのマイルストーンの後でも全体が動く。
- 同時に進むタスクが同じファイルを変更しない。避けられなければ、一つにまとめるか順番にする。
- テスト、文書、移行、リリースもタスクになっている。後回しにしない。
- タスクを一つ選び、今から始めるつもりで読む。調べ直しが必要なことは、そのタスクの説明に書く。

## 保存するとき

マイルストーンがまとまったとき、タスクをボードに載せたときに save_phase_result を呼び、data にタスク ID の一覧を入れます。

## 次へ進むとき

設計から変えたことがあれば、先に add-decision で記録し、docs/design.md を更新します。そのうえで transition_to_next_phase を currentPhase "phase1"、status "completed" で呼び、ファイルと、summary にマイルストーン、最初のタスク、並行して進めるものを書きます。まだ計画できない部分があれば "partial" とし、何を待つのかを書きます。設計が成り立たないと分かったら "failed" とし、設計し直せるように理由を書きます。`,
}
