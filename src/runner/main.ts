// `toryo runner`: a Runner as a program of its own, for a hub elsewhere.
import path from 'node:path'
import { type Env, toryoHome } from '#client/locate.ts'
import { checkHome, makeFolder } from '#client/trusted-path.ts'
import type { Lang } from '#contract/errors.ts'
import { ConfigFile } from '#kernel/config.ts'
import { openLog } from '#kernel/log.ts'
import { TORYO_HOME } from '#system/environment-names.ts'
import { LOG_LEVEL } from '#system/environment-names.ts'
import type { Notice } from './notice.ts'
import { Runner } from './runner.ts'

export type ServeOptions = {
  url: string
  token: string
  version: string
  lang: Lang
  env: Env
  bridge: string
  notice(notice: Notice): void
}

/** Until a signal, or until the hub does not want it. */
export async function serve(options: ServeOptions): Promise<'stopped' | 'refused'> {
  const { url, token, env, bridge } = options
  // Whatever it writes is for its owner alone.
  process.umask(0o077)
  const home = toryoHome(env)
  makeFolder(home)
  checkHome(home)
  const level = env[LOG_LEVEL]
  const log = openLog({ level, file: path.join(home, 'logs', 'runner.log'), stderr: level !== undefined })
  log.hide(token)
  const config = new ConfigFile(path.join(home, 'config.json'), log)
  config.watch()
  const runner = new Runner({
    ...options,
    home,
    bridge: { program: bridge, args: ['--url', url], env: { [TORYO_HOME]: home } },
    source: env,
    config: () => config.current,
    log,
  })
  const stop = () => void runner.stop()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, stop)
  try {
    runner.start()
    return await runner.ended
  } finally {
    for (const signal of signals) process.off(signal, stop)
    config.dispose()
    await log.dispose()
  }
}
