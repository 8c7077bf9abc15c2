// What the page shows and changes of this machine's files. The operator alone may: a run or a tab must not widen its own limits.
import type { Caller } from '#contract/caller.ts'
import { type ConfigView, SettingsError } from '#contract/settings.ts'
import { operation } from '#kernel/operation.ts'
import type { Outcome } from '#registration/outcome.ts'
import type { Services } from '../services.ts'
import { editConfig, type OwnConfig, showConfig } from './config-edit.ts'

export type FileAction = 'enter' | 'take_out'

export type SettingsDeps = {
  config: OwnConfig
  /** Says that these settings are other than before. */
  announce: (paths: string[], by: Caller) => Promise<void>
  registration: {
    /** What the action would change in this file; undefined: not a file that we register in. */
    preview: (file: string, action: FileAction) => Promise<Outcome | undefined>
    apply: (file: string, action: FileAction) => Promise<Outcome | undefined>
  }
}

export function settingsOperations({ config, announce, registration }: SettingsDeps) {
  return [
    operation<'config.show', Services, ConfigView>({
      name: 'config.show',
      effect: 'read',
      prepare: async (_services, _input, { lang }) => showConfig(config, lang),
      run: async (_services, _input, { prepared }) => prepared,
    }),
    operation<'editor.list', Services>({
      name: 'editor.list',
      effect: 'read',
      run: async () => ({ editors: config.current.editors }),
    }),
    operation<'config.edit', Services, ConfigView>({
      name: 'config.edit',
      effect: 'write',
      async prepare(_services, input, { caller, lang }) {
        const paths = await editConfig(config, input)
        if (paths.length > 0) await announce(paths, caller)
        return showConfig(config, lang)
      },
      run: async (_services, _input, { prepared }) => prepared,
    }),
    operation<'registration.apply', Services, Outcome>({
      name: 'registration.apply',
      effect: 'write',
      async prepare(_services, { file, action, diff }) {
        const shown = await registration.preview(file, action)
        if (!shown) throw SettingsError.REGISTRATION_NOT_FOUND({ file })
        if (shown.diff !== diff) throw SettingsError.REGISTRATION_CHANGED({ file })
        const done = await registration.apply(file, action)
        if (!done) throw SettingsError.REGISTRATION_NOT_FOUND({ file })
        return done
      },
      run: async (_services, _input, { prepared: { engine, file, state, warning, text } }) => ({
        ...{ engine, file, state, warning, text },
      }),
    }),
  ]
}
