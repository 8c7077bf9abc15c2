import type { Live } from '../../hub/live.ts'

export const keys = {
  whoami: ['settings', 'whoami'] as const,
  hub: ['settings', 'hub'] as const,
  engines: ['settings', 'engines'] as const,
  versions: ['settings', 'versions'] as const,
  registration: ['settings', 'registration'] as const,
  runners: ['settings', 'runners'] as const,
  tokens: ['settings', 'tokens'] as const,
  browsers: ['settings', 'browsers'] as const,
  doctor: ['settings', 'doctor'] as const,
  config: ['settings', 'config'] as const,
}

const asksFor =
  (key: readonly string[]): Live[string] =>
  (_, { refetch }) =>
    refetch(key)

export const live: Live = {
  'engine.paused': asksFor(keys.engines),
  'engine.resumed': asksFor(keys.engines),
  'runner.added': asksFor(keys.runners),
  'runner.revoked': asksFor(keys.runners),
  'token.added': asksFor(keys.tokens),
  'token.revoked': asksFor(keys.tokens),
  'page.signed_in': asksFor(keys.browsers),
  'page.signed_out': asksFor(keys.browsers),
  'config.changed': asksFor(keys.config),
}
