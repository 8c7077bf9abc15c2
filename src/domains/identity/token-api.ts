import type { TokenView } from '#contract/views.ts'
import { iso } from '#kernel/clock.ts'
import { operation } from '#kernel/operation.ts'
import type { Token, Tokens } from './tokens.ts'

type Services = { tokens: Tokens }

export const tokenOperations = [
  operation({
    name: 'token.add',
    effect: 'write',
    run: ({ tokens }: Services, input, call) => tokens.add(input.name, call.caller),
  }),
  operation({
    name: 'token.list',
    effect: 'read',
    run: async ({ tokens }: Services) => ({ tokens: (await tokens.list()).map(tokenView) }),
  }),
  operation({
    name: 'token.revoke',
    effect: 'write',
    run: async ({ tokens }: Services, input, call) => tokenView(await tokens.revoke(input.name, call.caller)),
  }),
]

function tokenView({ name, createdAt, usedAt, revokedAt }: Token): TokenView {
  return {
    name,
    created_at: iso(createdAt),
    last_used_at: usedAt === null ? null : iso(usedAt),
    revoked_at: revokedAt === null ? null : iso(revokedAt),
  }
}
