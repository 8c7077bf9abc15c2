// Every command, in the order of the help. Loading one loads no other.
import type { Text } from '#contract/errors.ts'
import type { CommandSpec } from './define.ts'
import { groups, summaries } from './texts-help.ts'

export type CommandPath = Exclude<keyof typeof summaries, 'toryo'>

export type Entry = {
  readonly path: CommandPath
  readonly summary: Text
  readonly group?: Text
  /** Missing for a word that only holds others. */
  readonly load?: () => Promise<{ default: CommandSpec }>
}

type Load = NonNullable<Entry['load']>

export const catalogue: readonly Entry[] = [
  entry('up', groups.hub, () => import('./commands/up.ts')),
  entry('status', groups.hub, () => import('./commands/status.ts')),
  entry('stop', groups.hub, () => import('./commands/stop.ts')),
  entry('logs', groups.hub, () => import('./commands/logs.ts')),
  entry('doctor', groups.hub, () => import('./commands/doctor.ts')),

  entry('project', groups.work),
  entry('project add', undefined, () => import('./commands/project-add.ts')),
  entry('project list', undefined, () => import('./commands/project-list.ts')),
  entry('project show', undefined, () => import('./commands/project-show.ts')),
  entry('project edit', undefined, () => import('./commands/project-edit.ts')),
  entry('project assign', undefined, () => import('./commands/project-assign.ts')),
  entry('project unassign', undefined, () => import('./commands/project-unassign.ts')),
  entry('project archive', undefined, () => import('./commands/project-archive.ts')),
  entry('project activate', undefined, () => import('./commands/project-activate.ts')),
  entry('project trust', undefined, () => import('./commands/project-trust.ts')),
  entry('project setup', undefined, () => import('./commands/project-setup.ts')),

  entry('agent', groups.work),
  entry('agent add', undefined, () => import('./commands/agent-add.ts')),
  entry('agent list', undefined, () => import('./commands/agent-list.ts')),
  entry('agent show', undefined, () => import('./commands/agent-show.ts')),
  entry('agent disable', undefined, () => import('./commands/agent-disable.ts')),
  entry('agent enable', undefined, () => import('./commands/agent-enable.ts')),
  entry('agent toolsets', undefined, () => import('./commands/agent-toolsets.ts')),
  entry('agent rotate', undefined, () => import('./commands/agent-rotate.ts')),

  entry('task', groups.work),
  entry('task add', undefined, () => import('./commands/task-add.ts')),
  entry('task list', undefined, () => import('./commands/task-list.ts')),
  entry('task show', undefined, () => import('./commands/task-show.ts')),
  entry('task move', undefined, () => import('./commands/task-move.ts')),
  entry('task assign', undefined, () => import('./commands/task-assign.ts')),

  entry('crew', groups.work),
  entry('crew run', undefined, () => import('./commands/crew-run.ts')),
  entry('crew list', undefined, () => import('./commands/crew-list.ts')),
  entry('crew show', undefined, () => import('./commands/crew-show.ts')),
  entry('crew stop', undefined, () => import('./commands/crew-stop.ts')),
  entry('crew delete', undefined, () => import('./commands/crew-delete.ts')),

  entry('run', groups.work),
  entry('run list', undefined, () => import('./commands/run-list.ts')),
  entry('run show', undefined, () => import('./commands/run-show.ts')),
  entry('run logs', undefined, () => import('./commands/run-logs.ts')),
  entry('run stop', undefined, () => import('./commands/run-stop.ts')),

  entry('tab', groups.work),
  entry('tab launch', undefined, () => import('./commands/tab-launch.ts')),
  entry('tab list', undefined, () => import('./commands/tab-list.ts')),
  entry('tab show', undefined, () => import('./commands/tab-show.ts')),
  entry('tab attach', undefined, () => import('./commands/tab-attach.ts')),
  entry('tab send', undefined, () => import('./commands/tab-send.ts')),
  entry('tab broadcast', undefined, () => import('./commands/tab-broadcast.ts')),
  entry('tab files', undefined, () => import('./commands/tab-files.ts')),
  entry('tab diff', undefined, () => import('./commands/tab-diff.ts')),
  entry('tab stop', undefined, () => import('./commands/tab-stop.ts')),
  entry('tab worktrees', undefined, () => import('./commands/tab-worktrees.ts')),
  entry('tab remove', undefined, () => import('./commands/tab-remove.ts')),
  entry('tab restore', undefined, () => import('./commands/tab-restore.ts')),
  entry('tab setup', undefined, () => import('./commands/tab-setup.ts')),

  entry('phase', groups.work),
  entry('phase status', undefined, () => import('./commands/phase-status.ts')),
  entry('phase advance', undefined, () => import('./commands/phase-advance.ts')),
  entry('phase retry', undefined, () => import('./commands/phase-retry.ts')),
  entry('phase back', undefined, () => import('./commands/phase-back.ts')),
  entry('phase restart', undefined, () => import('./commands/phase-restart.ts')),
  entry('phase refresh', undefined, () => import('./commands/phase-refresh.ts')),
  entry('phase history', undefined, () => import('./commands/phase-history.ts')),
  entry('phase prompt'),
  entry('phase prompt list', undefined, () => import('./commands/phase-prompt-list.ts')),
  entry('phase prompt show', undefined, () => import('./commands/phase-prompt-show.ts')),
  entry('phase prompt edit', undefined, () => import('./commands/phase-prompt-edit.ts')),
  entry('phase prompt reset', undefined, () => import('./commands/phase-prompt-reset.ts')),
  entry('phase prompt history', undefined, () => import('./commands/phase-prompt-history.ts')),

  entry('memory', groups.work),
  entry('memory add', undefined, () => import('./commands/memory-add.ts')),
  entry('memory list', undefined, () => import('./commands/memory-list.ts')),
  entry('memory log', undefined, () => import('./commands/memory-log.ts')),
  entry('memory search', undefined, () => import('./commands/memory-search.ts')),
  entry('memory recall', undefined, () => import('./commands/memory-recall.ts')),
  entry('memory decisions', undefined, () => import('./commands/memory-decisions.ts')),
  entry('memory export', undefined, () => import('./commands/memory-export.ts')),
  entry('memory import', undefined, () => import('./commands/memory-import.ts')),

  entry('runner', groups.hub, () => import('./commands/runner.ts')),
  entry('runner token', undefined, () => import('./commands/runner-token.ts')),
  entry('runner list', undefined, () => import('./commands/runner-list.ts')),
  entry('runner revoke', undefined, () => import('./commands/runner-revoke.ts')),
  entry('engine', groups.hub),
  entry('engine list', undefined, () => import('./commands/engine-list.ts')),
  entry('engine resume', undefined, () => import('./commands/engine-resume.ts')),

  entry('backup', groups.data, () => import('./commands/backup.ts')),
  entry('restore', groups.data, () => import('./commands/restore.ts')),
  entry('export', groups.data, () => import('./commands/export.ts')),
  entry('import', groups.data, () => import('./commands/import.ts')),

  entry('register', groups.more, () => import('./commands/register.ts')),
  entry('unregister', groups.more, () => import('./commands/unregister.ts')),
  entry('mcp', groups.more, () => import('./commands/mcp.ts')),
  entry('token', groups.more, () => import('./commands/token.ts')),
  entry('token create', undefined, () => import('./commands/token-create.ts')),
  entry('token list', undefined, () => import('./commands/token-list.ts')),
  entry('token revoke', undefined, () => import('./commands/token-revoke.ts')),
  entry('completion', groups.more, () => import('./commands/completion.ts')),
]

function entry(path: CommandPath, group?: Text, load?: Load): Entry {
  return { path, summary: summaries[path], ...(group ? { group } : {}), ...(load ? { load } : {}) }
}
