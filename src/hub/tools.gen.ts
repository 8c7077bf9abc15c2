// Written by `npm run gen` from the files in src/domains/*/tools. Do not edit.
import authenticate from '#domains/identity/tools/authenticate.ts'
import getAgentProfile from '#domains/identity/tools/get-agent-profile.ts'
import listAgents from '#domains/identity/tools/list-agents.ts'
import logout from '#domains/identity/tools/logout.ts'
import shouldStart from '#domains/identity/tools/should-start.ts'
import addDecision from '#domains/memory/tools/add-decision.ts'
import addLog from '#domains/memory/tools/add-log.ts'
import addProject from '#domains/memory/tools/add-project.ts'
import addTopic from '#domains/memory/tools/add-topic.ts'
import getDecidedTopics from '#domains/memory/tools/get-decided-topics.ts'
import getDecisions from '#domains/memory/tools/get-decisions.ts'
import getLogs from '#domains/memory/tools/get-logs.ts'
import getProjects from '#domains/memory/tools/get-projects.ts'
import getTopicTree from '#domains/memory/tools/get-topic-tree.ts'
import getTopics from '#domains/memory/tools/get-topics.ts'
import getUndecidedTopics from '#domains/memory/tools/get-undecided-topics.ts'
import recall from '#domains/memory/tools/recall.ts'
import searchDecisions from '#domains/memory/tools/search-decisions.ts'
import searchTopics from '#domains/memory/tools/search-topics.ts'
import getPhaseContext from '#domains/phases/tools/get-phase-context.ts'
import injectPhasePrompt from '#domains/phases/tools/inject-phase-prompt.ts'
import savePhaseResult from '#domains/phases/tools/save-phase-result.ts'
import transitionToNextPhase from '#domains/phases/tools/transition-to-next-phase.ts'
import acceptHandoff from '#domains/projects/tools/accept-handoff.ts'
import assignTask from '#domains/projects/tools/assign-task.ts'
import createHandoff from '#domains/projects/tools/create-handoff.ts'
import createTask from '#domains/projects/tools/create-task.ts'
import getMyTask from '#domains/projects/tools/get-my-task.ts'
import getPendingHandoffs from '#domains/projects/tools/get-pending-handoffs.ts'
import getPendingTasks from '#domains/projects/tools/get-pending-tasks.ts'
import getProject from '#domains/projects/tools/get-project.ts'
import getTaskContext from '#domains/projects/tools/get-task-context.ts'
import getTask from '#domains/projects/tools/get-task.ts'
import healthCheck from '#domains/projects/tools/health-check.ts'
import linkTasks from '#domains/projects/tools/link-tasks.ts'
import listActiveProjectsWithAgents from '#domains/projects/tools/list-active-projects-with-agents.ts'
import listProjects from '#domains/projects/tools/list-projects.ts'
import listTasks from '#domains/projects/tools/list-tasks.ts'
import reportCompleted from '#domains/projects/tools/report-completed.ts'
import saveContext from '#domains/projects/tools/save-context.ts'
import updateTaskStatus from '#domains/projects/tools/update-task-status.ts'
import updateTask from '#domains/projects/tools/update-task.ts'
import createGroup from '#domains/runs/tools/create-group.ts'
import deleteGroup from '#domains/runs/tools/delete-group.ts'
import getAgentStatus from '#domains/runs/tools/get-agent-status.ts'
import getExecutionLog from '#domains/runs/tools/get-execution-log.ts'
import listExecutionLogs from '#domains/runs/tools/list-execution-logs.ts'
import listRoles from '#domains/runs/tools/list-roles.ts'
import reportExecutionComplete from '#domains/runs/tools/report-execution-complete.ts'
import reportExecutionStart from '#domains/runs/tools/report-execution-start.ts'
import reportResult from '#domains/runs/tools/report-result.ts'
import runAgents from '#domains/runs/tools/run-agents.ts'
import runSequential from '#domains/runs/tools/run-sequential.ts'
import stopAgent from '#domains/runs/tools/stop-agent.ts'
import waitAgent from '#domains/runs/tools/wait-agent.ts'
import gwtBroadcastMessage from '#domains/tabs/tools/gwt-broadcast-message.ts'
import gwtGetChangedFiles from '#domains/tabs/tools/gwt-get-changed-files.ts'
import gwtGetTabInfo from '#domains/tabs/tools/gwt-get-tab-info.ts'
import gwtGetWorktreeDiff from '#domains/tabs/tools/gwt-get-worktree-diff.ts'
import gwtLaunchAgent from '#domains/tabs/tools/gwt-launch-agent.ts'
import gwtListTabs from '#domains/tabs/tools/gwt-list-tabs.ts'
import gwtReadMessages from '#domains/tabs/tools/gwt-read-messages.ts'
import gwtSendMessage from '#domains/tabs/tools/gwt-send-message.ts'
import gwtStopTab from '#domains/tabs/tools/gwt-stop-tab.ts'
import submitReview from '#domains/thread/tools/submit-review.ts'

export const tools = [
  authenticate,
  getAgentProfile,
  listAgents,
  logout,
  shouldStart,
  addDecision,
  addLog,
  addProject,
  addTopic,
  getDecidedTopics,
  getDecisions,
  getLogs,
  getProjects,
  getTopicTree,
  getTopics,
  getUndecidedTopics,
  recall,
  searchDecisions,
  searchTopics,
  getPhaseContext,
  injectPhasePrompt,
  savePhaseResult,
  transitionToNextPhase,
  acceptHandoff,
  assignTask,
  createHandoff,
  createTask,
  getMyTask,
  getPendingHandoffs,
  getPendingTasks,
  getProject,
  getTaskContext,
  getTask,
  healthCheck,
  linkTasks,
  listActiveProjectsWithAgents,
  listProjects,
  listTasks,
  reportCompleted,
  saveContext,
  updateTaskStatus,
  updateTask,
  createGroup,
  deleteGroup,
  getAgentStatus,
  getExecutionLog,
  listExecutionLogs,
  listRoles,
  reportExecutionComplete,
  reportExecutionStart,
  reportResult,
  runAgents,
  runSequential,
  stopAgent,
  waitAgent,
  gwtBroadcastMessage,
  gwtGetChangedFiles,
  gwtGetTabInfo,
  gwtGetWorktreeDiff,
  gwtLaunchAgent,
  gwtListTabs,
  gwtReadMessages,
  gwtSendMessage,
  gwtStopTab,
  submitReview,
]
