// The prompt of an engine that a Runner starts. It gets the task itself from the hub, after it has signed in.
import type { Lang } from '#contract/errors.ts'

export type Kick = {
  agentId: string
  agentName: string
  projectId: string
  projectName: string
  systemPrompt: string
}

export function kickPrompt(kick: Kick, lang: Lang): string {
  const own = kick.systemPrompt.trim()
  return `${PROMPTS[lang](quoted(kick))}${own === '' ? '' : `\n${HEADINGS[lang]}\n\n${own}\n`}`
}

/** A name is one word in a sentence, whatever it holds: it must not become an order of its own. */
function quoted({ agentId, agentName, projectId, projectName }: Kick) {
  return {
    agentId: JSON.stringify(agentId),
    agentName: JSON.stringify(agentName),
    projectId: JSON.stringify(projectId),
    projectName: JSON.stringify(projectName),
  }
}

type Names = ReturnType<typeof quoted>

const HEADINGS = { en: '## Your own instructions', ja: '## あなた自身への指示' }

const PROMPTS = {
  en: ({ agentId, agentName, projectId, projectName }: Names) => `You are the agent ${agentName} (agent_id ${agentId}).
You work on the project ${projectName} (project_id ${projectId}) in the current directory.

No person watches this session, so do not wait for answers. Use the tools of the MCP server "toryo", in this order:

1. Call authenticate with agent_id ${agentId} and project_id ${projectId}. You need no passkey. Keep the session_token.
2. Call get_my_task with the session_token. Read the task, the saved context and the handoff, if there are any.
3. Call recall with the project_id and what the task is about: earlier agents may have found or decided it already.
4. Do the work in the current directory. Check your own result as a careful colleague would. Record what later agents
   must know: decisions and their reasons with add-decision, findings with add-log, both below a topic (add-topic).
5. Save how far you are with save_context whenever you have reached something, and before you end.
6. Call report_completed with the session_token: result "success" when the work is done; "failed" or "blocked" with a
   summary that says why when it is not. Without this report your work counts as lost.

When get_my_task says that there is nothing to do, call report_completed and end. After the report, end at once.
`,
  ja: ({
    agentId,
    agentName,
    projectId,
    projectName,
  }: Names) => `あなたはエージェント ${agentName} です (agent_id ${agentId})。
現在のディレクトリで、プロジェクト ${projectName} (project_id ${projectId}) の作業をします。

このセッションを見ている人はいません。質問して答えを待たないでください。MCP サーバー "toryo" のツールを次の順に使います。

1. authenticate を agent_id ${agentId}、project_id ${projectId} で呼び出します。passkey は不要です。session_token をバックアップます。
2. session_token を渡して get_my_task を呼び出し、タスクと、あれば保存された作業状況と引き継ぎを読みます。
3. project_id とタスクの内容を渡して recall を呼び出し、過去の調査結果や決定を確認します。
4. 現在のディレクトリで作業します。結果は、慎重な同僚のつもりで自分で確かめます。後の担当者に必要なことは、決定と理由を
   add-decision で、分かったことを add-log で、トピック (add-topic) の下に記録します。
5. 区切りごとと終了の前に、作業の進み具合を save_context で保存します。
6. session_token を渡して report_completed を呼び出します。終わったら result は "success"、終えられなければ "failed" か
   "blocked" とし、summary に理由を書きます。この報告がなければ、作業は失われたものとみなされます。

get_my_task が「することがない」と答えたら、report_completed を呼び出して終了します。報告のあとは直ちに終了します。
`,
}
