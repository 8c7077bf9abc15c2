import { z } from 'zod'
import { tool } from '#kernel/tool.ts'

export default tool({
  name: 'health_check',
  toolset: 'runner',
  title: 'Is the hub up?',
  description: 'Check that the hub answers, and its version.',
  effect: 'read',
  callers: ['operator', 'runner'],
  input: z.object({}),
  output: z.object({ status: z.literal('ok'), version: z.string(), timestamp: z.string() }),
  async run({ about }: { about: { version: string; now(): string } }) {
    return { status: 'ok' as const, version: about.version, timestamp: about.now() }
  },
})
