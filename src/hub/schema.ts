import { crewMigrations } from '#domains/runs/crew-schema.ts'
import { identityMigrations } from '#domains/identity/schema.ts'
import { inboxMigrations } from '#domains/inbox/seen.ts'
import { memoryMigrations } from '#domains/memory/schema.ts'
import { phaseMigrations } from '#domains/phases/schema.ts'
import { projectMigrations } from '#domains/projects/schema.ts'
import { pauseMigrations } from '#domains/runs/pauses.ts'
import { runMigrations } from '#domains/runs/schema.ts'
import { tabMigrations } from '#domains/tabs/schema.ts'
import { worktreeMigrations } from '#domains/tabs/worktrees/schema.ts'
import { threadMigrations } from '#domains/thread/schema.ts'
import { trustMigrations } from '#domains/trust/schema.ts'
import { answerMigrations } from '#kernel/answers.ts'
import type { Migration } from '#kernel/db/migrate.ts'
import type { DumpedTable } from '#kernel/dump.ts'
import { eventMigrations } from '#kernel/events.ts'
import { hubTimeMigrations } from '#kernel/hub-time.ts'
import { slotMigrations } from '#kernel/slots.ts'

/** In the order in which they are applied; new ones go to the end. */
export const migrations: Migration[] = [
  ...eventMigrations,
  ...answerMigrations,
  ...slotMigrations,
  ...identityMigrations,
  ...projectMigrations,
  ...runMigrations,
  ...phaseMigrations,
  ...memoryMigrations,
  ...pauseMigrations,
  ...crewMigrations,
  ...worktreeMigrations,
  ...tabMigrations,
  ...trustMigrations,
  ...hubTimeMigrations,
  ...threadMigrations,
  ...inboxMigrations,
]

/** What stands in an export with secrets. */
export const EXPORT_NOTE = "Holds the hashes of the agents' passkeys; keep it as private as the database itself."

/** The user's data. Sessions, leases, tickets, tabs with their messages, and stored answers belong to one hub's life and stay out. */
export const dumpedTables: DumpedTable[] = [
  { name: 'agents', key: ['id'], secrets: { passkey: '' } },
  { name: 'projects', key: ['number'], serial: 'number' },
  { name: 'project_agents', key: ['project_id', 'agent_id'] },
  { name: 'tasks', key: ['id'] },
  { name: 'task_links', key: ['task_id', 'depends_on'] },
  { name: 'task_labels', key: ['task_id', 'folded'] },
  { name: 'task_answers', key: ['id'] },
  { name: 'notes', key: ['id'] },
  { name: 'handoffs', key: ['id'] },
  { name: 'task_passes', key: ['id'] },
  { name: 'crews', key: ['id'] },
  {
    name: 'runs',
    key: ['id'],
    // The engine's own name of the conversation.
    foreign: ['session_id'],
    secrets: { ticket_digest: null, ticket_connection: null },
  },
  { name: 'topics', key: ['id'], serial: 'id' },
  { name: 'entries', key: ['id'], serial: 'id' },
  { name: 'decisions', key: ['id'], serial: 'id' },
  { name: 'decision_tasks', key: ['decision_id', 'task_id'] },
  { name: 'phase_prompts', key: ['number'], serial: 'number' },
  { name: 'phase_states', key: ['project_id', 'phase'] },
  { name: 'phase_transitions', key: ['number'], serial: 'number' },
  { name: 'phase_checkpoints', key: ['number'], serial: 'number' },
  { name: 'phase_turns', key: ['number'], serial: 'number' },
  { name: 'worktrees', key: ['id'] },
  { name: 'worktree_setups', key: ['project_id'] },
  { name: 'workspaces', key: ['task_id'] },
  { name: 'snapshots', key: ['id'], foreign: ['commit_id'] },
  { name: 'checks', key: ['project_id', 'name'] },
  { name: 'evidence', key: ['id'] },
  { name: 'comments', key: ['id'] },
  { name: 'verdicts', key: ['id'], foreign: ['commit_id'] },
  { name: 'reviews', key: ['id'] },
  { name: 'merges', key: ['id'], foreign: ['commit_id'] },
  { name: 'pulls', key: ['id'], foreign: ['commit_id'] },
  { name: 'events', key: ['seq'], serial: 'seq' },
]
