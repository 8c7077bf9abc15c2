import { DemoError } from '#contract/demo.ts'
import type { Lang } from '#contract/errors.ts'
import { operation } from '#kernel/operation.ts'
import type { Services } from './services.ts'

type Deps = {
  isDemo: boolean
  /** Starts a demo beside this hub, in this language, or finds the one that it started; gives a link to it. */
  startDemo: (lang: Lang) => Promise<string>
  stop: (keepTerminals: boolean) => void
}

export function demoOperations({ isDemo, startDemo, stop }: Deps) {
  return [
    operation({
      name: 'demo.start',
      effect: 'read',
      async prepare(_services: Services, _input, { lang }) {
        if (isDemo) throw DemoError.IS_A_DEMO()
        return startDemo(lang)
      },
      run: async (_services: Services, _input, { prepared: url }) => ({ url }),
    }),
    operation({
      name: 'demo.end',
      effect: 'read',
      async run(_services: Services) {
        if (!isDemo) throw DemoError.NOT_A_DEMO()
        // After the answer has left.
        setImmediate(stop, false)
        return { ending: true } as const
      },
    }),
  ]
}
