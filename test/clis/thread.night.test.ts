// The whole way with real programs: claude does a task, gemini one that depends on it; each is checked, accepted and merged.
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { Repo } from '../git.ts'
import { markedProcesses } from '../scripted.ts'
import { type CliName, PRESENT } from './clis.ts'
import type { Script } from './model/conversation.ts'
import { working } from './scripts.ts'
import { CliWorld, until } from './world.ts'

const project_id = 'prj_shop'
const [FIRST, SECOND] = PRESENT.filter(name => name === 'claude' || name === 'gemini') as [CliName?, CliName?]

const cart: Script = working(
  folder => ({ write: `${folder}/cart.txt`, content: 'apples\npears\n' }),
  folder => ({ edit: `${folder}/cart.txt`, from: 'pears', to: '梨' }),
)
/** Has what the first has made before it. */
const till: Script = working(folder => ({ edit: `${folder}/cart.txt`, from: 'apples', to: '3 apples' }))

test.skipIf(SECOND === undefined)(
  `${FIRST} does a task and ${SECOND} the next; both are checked, accepted and merged`,
  async () => {
    const engines = [FIRST, SECOND] as [CliName, CliName]
    await using world = await CliWorld.open(engines, { cart, till }, { runner: true, registered: true })
    const { hub } = world
    const repo = new Repo(world.work)
    repo.git('init', '-q', '-b', 'main')
    repo.commit('base')
    await hub.api('project.add', { id: project_id, name: 'shop', directory: repo.root, workspace: 'task' })
    await hub.api('project.check.add', { project_id, name: 'test', command: ['grep', '梨', 'cart.txt'] })
    for (const [at, name] of ['cart', 'till'].entries()) {
      const agent = { id: `agt_${name}`, name, engine: String(engines[at]), system_prompt: `SCRIPT=${name}` }
      await hub.api('agent.add', agent)
      await hub.api('project.assign', { project_id, agent_id: agent.id })
      const order = at === 0 ? {} : { depends_on: ['shop-1'] }
      const task = { project_id, title: name, assignee_id: agent.id, status: 'in_progress' as const }
      await hub.api('task.add', { ...task, ...order })
    }
    for (const task_id of ['shop-1', 'shop-2']) {
      const { evidence, executions } = await until(async () => {
        const task = await hub.api('task.show', { task_id })
        if (task.stage === 'blocked') throw new Error(`${task.blocked_reason}`)
        return task.stage === 'review' && task
      })
      expect(executions).toMatchObject([{ status: 'completed' }])
      expect(evidence).toMatchObject([{ check: 'test', outcome: 'passed', tail: '梨' }])
      await hub.api('task.verdict', { task_id, decision: 'accept' })
      await until(async () => (await hub.api('task.show', { task_id })).stage === 'merged')
    }
    expect(repo.git('log', '--first-parent', '--format=%s').trim().split('\n')).toEqual([
      'Merge shop-2: till',
      'Merge shop-1: cart',
      'base',
    ])
    expect(repo.git('status', '--porcelain')).toBe('')
    expect(fs.readFileSync(repo.at('cart.txt'), 'utf8')).toBe('3 apples\n梨\n')
    await until(() => markedProcesses(world.home).length === 0)
  },
)
