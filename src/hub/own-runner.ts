import type { ConfigFile } from '#kernel/config.ts'
import type { Scope } from '#kernel/scope.ts'
import { Runner } from '#runner/runner.ts'
import { TORYO_HOME } from '#system/environment-names.ts'
import type { HubOptions } from './lifecycle.ts'

type Reached = { url: string; token: string; certificate: string | undefined; config: ConfigFile }

/** The Runner that the hub brings along, if it is to. */
export function startOwnRunner(scope: Scope, options: HubOptions, reached: Reached): Runner | undefined {
  if (!options.runner) return undefined
  const { target, version, lang, log } = options
  const { url, token, certificate, config } = reached
  const { bridge, ...rest } = options.runner
  const runner = new Runner({
    ...rest,
    url,
    token,
    ...(certificate !== undefined && { certificate }),
    version,
    home: target.home,
    // By the database: a bridge then finds the next hub, wherever that listens.
    bridge: { program: bridge, args: ['--db', target.shownDb], env: { [TORYO_HOME]: target.home } },
    config: () => config.current,
    lang,
    log,
  })
  scope.add('runner', () => runner.stop())
  runner.start()
  return runner
}
