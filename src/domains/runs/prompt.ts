// The prompt of a run: who it is, what the stage before found, what to do, and how to say that it is done.
import type { ProjectId } from '#contract/id-types.ts'
import { type CrewRun, crewStatus } from './model.ts'

const SUMMARY_PASSED = 8000

/** `members`: all of its plan; those of the stage before have ended. */
export function promptFor(run: CrewRun, members: readonly CrewRun[]): string {
  const before = run.stage === null ? [] : members.filter(({ stage }) => stage === (run.stage as number) - 1)
  const parts = [
    run.instructions.trim(),
    before.length > 0 ? `# Results of the stage before\n\n${before.map(resultText).join('\n\n')}` : '',
    `# Your task\n\n${run.prompt.trim()}`,
    run.projectId === null || run.work === 'review' ? '' : memoryText(run.projectId),
    run.work === 'review'
      ? REVIEWED
      : `# When you are done

You are agent ${run.id} of group ${run.crewId}, working in ${run.directory}. No one can answer questions: decide on your own and say what you decided.
As your last step call the tool report_result of the MCP server "toryo" with agentId "${run.id}", status "success" or "failure", and a summary of what you did and found: it is all that others will see of your work. Then end.`,
  ]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}

const REVIEWED = `# When you are done

No one can answer questions: decide on your own. As your last step call the tool submit_review of the MCP server "toryo" with decision "accept" or "changes", a summary, and comments, each with the path and lines that it is about. Without this call there is no verdict. Then end.`

/** Agents rarely look there unless they are asked to. */
function memoryText(projectId: ProjectId): string {
  return `# What is known already

You work in the project ${projectId}. Before you begin, call the tool recall of the MCP server "toryo" with this project_id and what your task is about: earlier agents may have found or decided it. Record what later ones must know: decisions and their reasons with add-decision, findings with add-log, both below a topic (add-topic).`
}

/** What another wrote is quoted, so that it is read as a report and not as an order. */
function resultText(run: CrewRun): string {
  const summary = run.report?.summary ?? 'It left no summary.'
  const files = [...(run.report?.createdFiles ?? []), ...(run.report?.editedFiles ?? [])]
  const quoted = summary
    .slice(0, SUMMARY_PASSED)
    .split('\n')
    .map(line => `> ${line}`)
    .join('\n')
  const touched = files.length > 0 ? `\nFiles: ${files.slice(0, 50).join(', ')}` : ''
  return `${run.role} (${run.id}, ${crewStatus(run)}):\n${quoted}${touched}`
}
