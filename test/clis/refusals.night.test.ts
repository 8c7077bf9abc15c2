// What the model is shown of our refusals. Some programs check answers against the schema that a tool is listed with, and show
// their own complaint in place of ours when it does not fit.
import { expect, test } from 'vitest'
import { TOOLSETS } from '#contract/toolsets.ts'
import { argumentsFor, type InputSchema } from '../arguments.ts'
import { TestClock } from '../hub.ts'
import { describeClis, EVERY_CLI } from './clis.ts'
import { inTurn } from './scripts.ts'
import { CliWorld } from './world.ts'

const SENTENCE = 'This client made more than 1 calls within a minute; this one was not carried out.'

/** After more calls in one turn gemini suspects a loop and asks the model about it, on its own account. */
const PART = 20

describeClis(EVERY_CLI, cli => {
  test('shows the model the sentence of every tool that refuses', async () => {
    let part: { call: string; args: Record<string, unknown> }[] = []
    await using world = await CliWorld.open(
      cli,
      { usual: heard => inTurn({ call: 'list_roles', args: {} }, ...part, { say: 'I have tried all' })(heard) },
      // Its time stands still: the one call of each connection's quota stays spent.
      { clock: new TestClock(), config: { limits: { callsPerMinute: 1 } } },
    )
    const { client } = await world.hub.connect({ toolsets: TOOLSETS.join() })
    const { tools } = await client.listTools()
    for (let at = 0; at < tools.length; at += PART) {
      part = tools.slice(at, at + PART).map(({ name, inputSchema }) => ({
        // Codex lets models write programs, in which no name has a hyphen.
        call: cli === 'codex' ? name.replaceAll('-', '_') : name,
        args: argumentsFor(inputSchema as InputSchema),
      }))
      const bridge = world.bridge(world.hub.token)
      await world.byHand({ mcp: { ...bridge, args: [...bridge.args, '--toolsets', TOOLSETS.join()] } })
      const [first, ...shown] = world.model.asked.at(-1)?.results ?? []
      expect(first).toContain('planner')
      expect(shown.length).toBe(part.length)
      for (const [index, { call }] of part.entries()) expect(shown[index], call).toContain(SENTENCE)
    }
  })
})
