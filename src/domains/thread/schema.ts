import { type CreateTableBuilder, sql } from 'kysely'
import type * as Id from '#contract/id-types.ts'
import type { ColumnTypes, Migration } from '#kernel/db/migrate.ts'

export type ThreadTables = {
  /** The worktree and branch of a task, from its first start until its work is merged or given up. */
  workspaces: {
    task_id: Id.TaskId
    project_id: Id.ProjectId
    worktree_id: Id.WorktreeId
    branch: string
    /** The full name of what it is merged into; null in a repository without commits, or on a detached HEAD. */
    base_ref: string | null
    /** First of a range of ports that no other live workspace has. */
    port: number
    made_at: number
    released_at: number | null
  }
  /** Reported work. The row is written with the report; the tree follows, when the files could be read. */
  snapshots: {
    id: Id.SnapshotId
    task_id: Id.TaskId
    project_id: Id.ProjectId
    worktree_id: Id.WorktreeId | null
    cause: string
    run_id: Id.RunId | null
    result: string | null
    summary: string | null
    at: number
    taken_at: number | null
    /** JSON: why it could not be taken, a sentence in both languages; it is tried again at the next report. */
    error: string | null
    commit_id: string | null
    tree: string | null
    base_commit: string | null
    changed_files: number | null
    /** JSON: what stays out, and what reviewers should see. */
    held: string
    flagged: string
    /** JSON: ids of decisions that the report cites. */
    cites: string
    /** JSON: by whom its commits are, as git names them. */
    authors: string
    /** JSON: paths that are held back by rule, and that a person let in. */
    included: string
    /** From then on the hub has nothing more to do about it on its own. */
    settled_at: number | null
  }
  /** The operator's own. What a repository proposes is in its configuration, and here only once it is trusted. */
  checks: {
    project_id: Id.ProjectId
    name: string
    command: string
    required: number
    minutes: number
    position: number
    source: string
    at: number
  }
  /** Commands of checks that somebody has looked at on a machine, named as its hub's Runner is. On `*`: from before this was kept. */
  check_sights: { machine: string; project_id: Id.ProjectId; name: string; command: string; at: number }
  evidence: {
    id: Id.EvidenceId
    task_id: Id.TaskId
    project_id: Id.ProjectId
    snapshot_id: Id.SnapshotId | null
    merge_id: Id.MergeId | null
    name: string
    command: string
    required: number
    tree: string
    /** Which hub's folder it runs in, and its process: stored before it starts. */
    place: string
    process: string | null
    started_at: number
    began_at: number
    ended_at: number | null
    duration_ms: number | null
    outcome: string | null
    exit_code: number | null
    tail: string
    /** JSON: what the hub says besides. */
    remark: string | null
    log_path: string | null
  }
  comments: {
    id: Id.CommentId
    task_id: Id.TaskId
    snapshot_id: Id.SnapshotId | null
    /** Null: of the whole change. */
    path: string | null
    from_line: number | null
    to_line: number | null
    text: string
    author: string
    at: number
    /** Null: a draft, which goes out with its author's next verdict. */
    verdict_id: Id.VerdictId | null
    answer: string | null
    answered_at: number | null
  }
  verdicts: {
    id: Id.VerdictId
    task_id: Id.TaskId
    snapshot_id: Id.SnapshotId | null
    /** What was judged; null: there was none, or it was given before this was kept. */
    commit_id: string | null
    decision: string
    summary: string | null
    author: string
    at: number
  }
  /** An agent that was asked to review a snapshot, at most once by the project's policy. */
  reviews: {
    id: Id.ReviewId
    task_id: Id.TaskId
    project_id: Id.ProjectId
    snapshot_id: Id.SnapshotId
    agent_id: Id.AgentId
    /** `policy`, or who asked. */
    asked_by: string
    at: number
    /** Null: not started. */
    run_id: Id.RunId | null
    /** JSON: why no run was started, a sentence in both languages. */
    problem: string | null
    verdict_id: Id.VerdictId | null
    /** From then on the hub has nothing more to do about it. */
    settled_at: number | null
  }
  /** The queue, one line per base, and what became of each entry. */
  merges: {
    id: Id.MergeId
    task_id: Id.TaskId
    project_id: Id.ProjectId
    snapshot_id: Id.SnapshotId
    repository: string
    base_ref: string
    method: string
    queued_at: number
    /** Who works on it, until when, in the hubs' own time. */
    owner: string | null
    held_until: number | null
    /** What the base was, and the commit that it moves to: written down before it moves. */
    base_before: string | null
    commit_id: string | null
    tree: string | null
    /** JSON: what it waits for. */
    waits: string | null
    ended_at: number | null
    outcome: string | null
    /** JSON: files in conflict with both sides, or the failed check. */
    details: string | null
    /** `undo`: takes `undoes`, another entry of the task, out of the base again. `redo`: takes an undo back. */
    kind: string
    undoes: Id.MergeId | null
    /** When its branch was looked at for the last time, after its days were over. */
    retired_at: number | null
  }
  /** Pull requests that people opened for tasks instead of the queue. */
  pulls: {
    id: Id.PullId
    task_id: Id.TaskId
    project_id: Id.ProjectId
    snapshot_id: Id.SnapshotId
    repository: string
    base_ref: string
    remote: string
    branch: string
    /** What was pushed last, or is about to be. */
    commit_id: string
    author: string
    at: number
    /** Null: its address was not recorded. */
    url: string | null
    ended_at: number | null
    outcome: string | null
  }
  /** Pairs that the agents were notified of, so that they hear of each once, until one of both is no longer at work. */
  overlaps: {
    /** Both worktrees and the kind. */
    pair: string
    /** Whose worktrees they are. */
    home: string
    project_id: Id.ProjectId
    kind: string
    a_worktree: Id.WorktreeId
    a_task: Id.TaskId | null
    a_tab: Id.TabId | null
    b_worktree: Id.WorktreeId
    b_task: Id.TaskId | null
    b_tab: Id.TabId | null
    /** JSON. */
    files: string
    at: number
    gone_at: number | null
  }
}

/** How each table of what becomes of a snapshot begins. */
const ofSnapshot =
  (column: ColumnTypes) =>
  <Table extends string>(table: CreateTableBuilder<Table>) =>
    table
      .addColumn('id', column.id, c => c.primaryKey())
      .addColumn('task_id', 'text', c => c.notNull().references('tasks.id'))
      .addColumn('project_id', 'text', c => c.notNull().references('projects.id'))
      .addColumn('snapshot_id', 'text', c => c.notNull().references('snapshots.id'))

export const threadMigrations: Migration[] = [
  {
    id: 'thread.1',
    async up(db, column) {
      await db.schema
        .createTable('workspaces')
        .addColumn('task_id', column.id, c => c.primaryKey().references('tasks.id'))
        .addColumn('project_id', 'text', c => c.notNull().references('projects.id'))
        .addColumn('worktree_id', 'text', c => c.notNull().references('worktrees.id'))
        .addColumn('branch', 'text', c => c.notNull())
        .addColumn('base_ref', 'text')
        .addColumn('port', 'integer', c => c.notNull())
        .addColumn('made_at', 'bigint', c => c.notNull())
        .addColumn('released_at', 'bigint')
        .execute()
      await db.schema.createIndex('workspaces_live').on('workspaces').columns(['released_at', 'project_id']).execute()
      await db.schema.createIndex('workspaces_worktree').on('workspaces').column('worktree_id').execute()
      await db.schema
        .createTable('snapshots')
        .addColumn('id', column.id, c => c.primaryKey())
        .addColumn('task_id', 'text', c => c.notNull().references('tasks.id'))
        .addColumn('project_id', 'text', c => c.notNull().references('projects.id'))
        .addColumn('worktree_id', 'text')
        .addColumn('cause', 'text', c => c.notNull())
        .addColumn('run_id', 'text')
        .addColumn('result', 'text')
        .addColumn('summary', 'text')
        .addColumn('at', 'bigint', c => c.notNull())
        .addColumn('taken_at', 'bigint')
        .addColumn('error', 'text')
        .addColumn('commit_id', 'text')
        .addColumn('tree', 'text')
        .addColumn('base_commit', 'text')
        .addColumn('changed_files', 'integer')
        .addColumn('held', 'text', c => c.notNull())
        .addColumn('flagged', 'text', c => c.notNull())
        .addColumn('cites', 'text', c => c.notNull())
        .addColumn('included', 'text', c => c.notNull())
        .addColumn('settled_at', 'bigint')
        .execute()
      await db.schema.createIndex('snapshots_task').on('snapshots').columns(['task_id', 'id']).execute()
      await db.schema.createIndex('snapshots_due').on('snapshots').columns(['settled_at', 'id']).execute()
      await db.schema
        .createTable('checks')
        .addColumn('project_id', 'text', c => c.notNull().references('projects.id'))
        .addColumn('name', 'text', c => c.notNull())
        .addColumn('command', 'text', c => c.notNull())
        .addColumn('required', 'integer', c => c.notNull())
        .addColumn('minutes', 'double precision', c => c.notNull())
        .addColumn('position', 'integer', c => c.notNull())
        .addColumn('source', 'text', c => c.notNull())
        .addColumn('at', 'bigint', c => c.notNull())
        .addPrimaryKeyConstraint('checks_name', ['project_id', 'name'])
        .execute()
      await db.schema
        .createTable('evidence')
        .addColumn('id', column.id, c => c.primaryKey())
        .addColumn('task_id', 'text', c => c.notNull().references('tasks.id'))
        .addColumn('project_id', 'text', c => c.notNull().references('projects.id'))
        .addColumn('snapshot_id', 'text')
        .addColumn('merge_id', 'text')
        .addColumn('name', 'text', c => c.notNull())
        .addColumn('command', 'text', c => c.notNull())
        .addColumn('required', 'integer', c => c.notNull())
        .addColumn('tree', 'text', c => c.notNull())
        .addColumn('place', 'text', c => c.notNull())
        .addColumn('process', 'text')
        .addColumn('started_at', 'bigint', c => c.notNull())
        .addColumn('began_at', 'bigint', c => c.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('duration_ms', 'bigint')
        .addColumn('outcome', 'text')
        .addColumn('exit_code', 'integer')
        .addColumn('tail', 'text', c => c.notNull())
        .addColumn('log_path', 'text')
        .execute()
      await db.schema.createIndex('evidence_task').on('evidence').columns(['task_id', 'id']).execute()
      await db.schema.createIndex('evidence_snapshot').on('evidence').columns(['snapshot_id', 'id']).execute()
      await db.schema.createIndex('evidence_merge').on('evidence').columns(['merge_id', 'id']).execute()
      await db.schema.createIndex('evidence_open').on('evidence').columns(['ended_at', 'place']).execute()
      await db.schema
        .createTable('comments')
        .addColumn('id', column.id, c => c.primaryKey())
        .addColumn('task_id', 'text', c => c.notNull().references('tasks.id'))
        .addColumn('snapshot_id', 'text')
        .addColumn('path', 'text')
        .addColumn('from_line', 'integer')
        .addColumn('to_line', 'integer')
        .addColumn('text', 'text', c => c.notNull())
        .addColumn('author', 'text', c => c.notNull())
        .addColumn('at', 'bigint', c => c.notNull())
        .addColumn('verdict_id', 'text')
        .addColumn('answer', 'text')
        .addColumn('answered_at', 'bigint')
        .execute()
      await db.schema.createIndex('comments_task').on('comments').columns(['task_id', 'id']).execute()
      await db.schema
        .createTable('verdicts')
        .addColumn('id', column.id, c => c.primaryKey())
        .addColumn('task_id', 'text', c => c.notNull().references('tasks.id'))
        .addColumn('snapshot_id', 'text')
        .addColumn('decision', 'text', c => c.notNull())
        .addColumn('summary', 'text')
        .addColumn('author', 'text', c => c.notNull())
        .addColumn('at', 'bigint', c => c.notNull())
        .execute()
      await db.schema.createIndex('verdicts_task').on('verdicts').columns(['task_id', 'id']).execute()
      await db.schema
        .createTable('merges')
        .$call(ofSnapshot(column))
        .addColumn('repository', 'text', c => c.notNull())
        .addColumn('base_ref', 'text', c => c.notNull())
        .addColumn('method', 'text', c => c.notNull())
        .addColumn('queued_at', 'bigint', c => c.notNull())
        .addColumn('owner', 'text')
        .addColumn('held_until', 'bigint')
        .addColumn('base_before', 'text')
        .addColumn('commit_id', 'text')
        .addColumn('tree', 'text')
        .addColumn('waits', 'text')
        .addColumn('ended_at', 'bigint')
        .addColumn('outcome', 'text')
        .addColumn('details', 'text')
        .addColumn('retired_at', 'bigint')
        .execute()
      await db.schema.createIndex('merges_task').on('merges').columns(['task_id', 'id']).execute()
      await db.schema.createIndex('merges_open').on('merges').columns(['ended_at', 'id']).execute()
      await db.schema
        .createTable('overlaps')
        .addColumn('pair', 'text', c => c.primaryKey())
        .addColumn('home', 'text', c => c.notNull())
        .addColumn('project_id', 'text', c => c.notNull())
        .addColumn('kind', 'text', c => c.notNull())
        .addColumn('a_worktree', 'text', c => c.notNull())
        .addColumn('a_task', 'text')
        .addColumn('a_tab', 'text')
        .addColumn('b_worktree', 'text', c => c.notNull())
        .addColumn('b_task', 'text')
        .addColumn('b_tab', 'text')
        .addColumn('files', 'text', c => c.notNull())
        .addColumn('at', 'bigint', c => c.notNull())
        .addColumn('gone_at', 'bigint')
        .execute()
      await db.schema.createIndex('overlaps_home').on('overlaps').column('home').execute()
      await db.schema.createIndex('overlaps_a').on('overlaps').column('a_worktree').execute()
      await db.schema.createIndex('overlaps_b').on('overlaps').column('b_worktree').execute()
    },
  },
  {
    id: 'thread.2',
    async up(db, column) {
      await db.schema
        .createTable('reviews')
        .$call(ofSnapshot(column))
        .addColumn('agent_id', 'text', c => c.notNull())
        .addColumn('asked_by', 'text', c => c.notNull())
        .addColumn('at', 'bigint', c => c.notNull())
        .addColumn('run_id', 'text')
        .addColumn('problem', 'text')
        .addColumn('verdict_id', 'text')
        .addColumn('settled_at', 'bigint')
        .execute()
      await db.schema.createIndex('reviews_task').on('reviews').columns(['task_id', 'id']).execute()
      await db.schema.createIndex('reviews_open').on('reviews').columns(['settled_at', 'id']).execute()
      await db.schema.createIndex('reviews_run').on('reviews').column('run_id').execute()
    },
  },
  {
    id: 'thread.3',
    async up(db, column) {
      await db.schema
        .createTable('pulls')
        .$call(ofSnapshot(column))
        .addColumn('repository', 'text', c => c.notNull())
        .addColumn('base_ref', 'text', c => c.notNull())
        .addColumn('remote', 'text', c => c.notNull())
        .addColumn('branch', 'text', c => c.notNull())
        .addColumn('commit_id', 'text', c => c.notNull())
        .addColumn('author', 'text', c => c.notNull())
        .addColumn('at', 'bigint', c => c.notNull())
        .addColumn('url', 'text')
        .addColumn('ended_at', 'bigint')
        .addColumn('outcome', 'text')
        .execute()
      await db.schema.alterTable('verdicts').addColumn('commit_id', 'text').execute()
      await db.schema.createIndex('pulls_task').on('pulls').columns(['task_id', 'id']).execute()
      await db.schema.createIndex('pulls_open').on('pulls').columns(['ended_at', 'id']).execute()
    },
  },
  {
    id: 'thread.sights.1',
    async up(db) {
      await db.schema
        .createTable('check_sights')
        .addColumn('machine', 'text', c => c.notNull())
        .addColumn('project_id', 'text', c => c.notNull().references('projects.id'))
        .addColumn('name', 'text', c => c.notNull())
        .addColumn('command', 'text', c => c.notNull())
        .addColumn('at', 'bigint', c => c.notNull())
        .addPrimaryKeyConstraint('check_sights_name', ['machine', 'project_id', 'name'])
        .execute()
      await sql`INSERT INTO check_sights (machine, project_id, name, command, at)
        SELECT '*', project_id, name, command, at FROM checks`.execute(db)
    },
  },
  {
    id: 'thread.4',
    async up(db) {
      await db.schema
        .alterTable('snapshots')
        .addColumn('authors', 'text', c => c.notNull().defaultTo('[]'))
        .execute()
    },
  },
  {
    id: 'thread.facts.1',
    async up(db) {
      await db.schema.alterTable('evidence').addColumn('remark', 'text').execute()
      // Each is looked at again, and says anew what it waits for.
      await sql`UPDATE merges SET waits = NULL`.execute(db)
    },
  },
  {
    id: 'thread.undo.1',
    async up(db) {
      await db.schema
        .alterTable('merges')
        .addColumn('kind', 'text', c => c.notNull().defaultTo('merge'))
        .execute()
      await db.schema.alterTable('merges').addColumn('undoes', 'text').execute()
    },
  },
]
