import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { crewOn } from '../crews.ts'
import { markedProcesses } from '../scripted.ts'
import { type CliName, PRESENT } from './clis.ts'
import { COST, type Heard, type Script } from './model/conversation.ts'
import { inTurn } from './scripts.ts'
import { CliWorld, until } from './world.ts'

const runOf = ({ prompt }: Heard) => /You are agent (run_[\w-]+) of group/.exec(prompt)?.[1] ?? 'missing'
const folderOf = ({ prompt }: Heard) => /working in (\S+)\.(?: |$)/m.exec(prompt)?.[1] ?? 'missing'

const report = (summary: (heard: Heard) => string) => (heard: Heard) => ({
  call: 'report_result',
  args: { agentId: runOf(heard), status: 'success', summary: summary(heard) },
})

const plan: Script = inTurn(
  heard => ({ write: `${folderOf(heard)}/plan-of-${runOf(heard)}.txt`, content: 'oak\n' }),
  report(heard => `The wood of ${runOf(heard)} is 樫`),
  { say: 'Planned' },
)

/** Can only work with the results of the stage before. */
const build: Script = inTurn(
  heard => ({ write: `${folderOf(heard)}/roof.txt`, content: `${findings(heard).join('\n')}\n` }),
  report(heard => `Built from ${findings(heard).length} plans`),
  { say: 'Built' },
)

function findings({ prompt }: Heard): string[] {
  return [...prompt.matchAll(/^> The wood of (run_[\w-]+) is 樫$/gm)].map(([, run]) => run as string)
}

/** Where only two programs are tested the first also does the second stage. */
const [FIRST, SECOND, THIRD = FIRST] = PRESENT

const roles = PRESENT.map(engine => ({ id: `${engine}-role`, engine, model: 'default', instructions: 'You build.' }))

// With fewer there is no crew; why they are missing is said where each of them is tested.
test.skipIf(SECOND === undefined)(
  `${FIRST} and ${SECOND} plan, then ${THIRD} builds from what they have found`,
  async () => {
    const crew = [FIRST, SECOND, THIRD] as CliName[]
    await using world = await CliWorld.open(PRESENT, { plan, build }, { config: { roles }, registered: true })
    // A program that is slow to print its version the first time has printed it by the next.
    for (const { id } of roles)
      await expect
        .poll(async () => (await world.hub.call('list_roles')).body['roles'], { timeout: 120_000 }) // Two looks.
        .toContainEqual(
          expect.objectContaining({ id, available: true, healthCheck: expect.objectContaining({ ok: true }) }),
        )

    const crewHub = crewOn(world.hub, world.work)
    const asked = (engine: CliName, script: string) => ({ role: `${engine}-role`, prompt: `SCRIPT=${script}` })
    const [a, b, c] = crew as [CliName, CliName, CliName]
    const { stages } = await crewHub.plan([[asked(a, 'plan'), asked(b, 'plan')], [asked(c, 'build')]])
    const [planners = [], builders = []] = stages
    const states = await crewHub.ended(...planners, ...builders)

    expect(states).toMatchObject(
      [...planners, ...builders].map((agentId, at) => ({
        agentId,
        engine: crew[at],
        stageIndex: at < 2 ? 0 : 1,
        status: 'completed',
        sessionId: expect.any(String),
        usage: { input: 3 * COST.input, output: 3 * COST.output },
        toolCallCount: 2,
        createdFiles: [path.join(world.work, at < 2 ? `plan-of-${agentId}.txt` : 'roof.txt')],
        lastMessage: at < 2 ? 'Planned' : 'Built',
        result: { status: 'success', summary: at < 2 ? `The wood of ${agentId} is 樫` : 'Built from 2 plans' },
      })),
    )
    expect(fs.readFileSync(path.join(world.work, 'roof.txt'), 'utf8').trim().split('\n')).toEqual(planners)
    await until(() => markedProcesses(world.home).length === 0)
  },
)
