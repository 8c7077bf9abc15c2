// What the hub has once, whatever transaction its services are made over: the event log, git, worktrees, tabs, engines, and who is
// at the other end of a connection.
import { IndexRebuild } from '#domains/memory/rebuild.ts'
import { RemotePrompts } from '#domains/phases/remote.ts'
import { Shelf } from '#domains/phases/shelf.ts'
import { RunLogs } from '#domains/runs/run-logs.ts'
import { Watching } from '#domains/tabs/worktrees/watching.ts'
import { Worktrees } from '#domains/tabs/worktrees/worktrees.ts'
import { Scout } from '#engines/agent-config.ts'
import { EventSubjects } from '#kernel/event-subjects.ts'
import { EventLog } from '#kernel/events.ts'
import { Git } from '#kernel/git/git.ts'
import type { Peer } from '#kernel/processes/peer.ts'
import type { ComposeOptions } from './compose.ts'
import { Embedding } from './embedding.ts'
import { subjectIds } from './event-subjects.ts'
import { HeadlessEngines } from './headless-engines.ts'
import { HUB } from './own-caller.ts'
import { ProjectLimits } from './project-limits.ts'
import type { Services } from './services.ts'
import { startedProcesses } from './started-processes.ts'
import { tabParts } from './tabs.ts'

export type Parts = ReturnType<typeof makeParts>

/** `services`: those over the database itself. They are made of these parts, and asked for in calls only. */
export function makeParts(options: ComposeOptions, services: () => Services) {
  const { database, clock, log, config, runs } = options
  const events = new EventLog({ database, clock, log })
  const git = new Git({ folder: options.places.git, env: options.env })
  const remote = new RemotePrompts({ settings: options.promptSource, clock, log })
  const worktrees = worktreesOf(options, events, git, services)
  const peers = startedProcesses({ services, worktrees, env: options.env, log })
  return {
    events,
    subjects: new EventSubjects(database, subjectIds),
    git,
    remote,
    shelf: new Shelf({ clock, ttlMs: () => remote.ttlMs }),
    embedding: new Embedding(database, () => config().memory.embeddings, log),
    rebuild: new IndexRebuild({ database, events, by: HUB }),
    worktrees,
    watching: new Watching({ worktrees, clock, log }),
    projectLimits: new ProjectLimits(log),
    tabs: tabParts({ ...options, ...options.tabs, events, git, worktrees }),
    engines: new HeadlessEngines({
      config,
      env: runs.env,
      mcp: runs.mcp,
      paused: engine => services().pauses.find(engine),
    }),
    logs: new RunLogs(
      runs.logFolder,
      ({ agentId, projectId, epoch }) => runs.instanceLog({ agentId, projectId, epoch: epoch ?? 0 }),
      events,
    ),
    scout: new Scout({ config, git, env: runs.env }),
    peers,
    /** Whether the process at the other end of a connection comes from the one that was started with this mark. */
    descends: async (peer: Peer, marker: string) => {
      const origin = await peers.originOf(peer)
      return origin.kind === 'started' && origin.record.marker === marker
    },
  }
}

function worktreesOf(options: ComposeOptions, events: EventLog, git: Git, services: () => Services): Worktrees {
  const { database, clock, ids, log, env, config } = options
  return new Worktrees({
    ...{ database, events, clock, ids, log, git, env, config },
    machine: options.runnerName,
    folder: options.places.worktrees,
    projects: { get: id => services().projects.get(id) },
    tabs: { at: path => services().tabs.at(path) },
    hub: HUB,
  })
}
