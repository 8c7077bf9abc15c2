// The operator's own config.json, and Toryo's entry in the agent programs' config files.
import { z } from 'zod'
import { ConfigView, RegistrationView, SettingValue } from '../settings.ts'
import { operation } from './shapes.ts'

export const settingsApi = {
  /** The operator's settings, with the line that each comes from. */
  'config.show': operation(z.object({}), ConfigView),
  /** What opens a worktree: the first one is what most people use here. */
  'editor.list': operation(
    z.object({}),
    z.object({ editors: z.array(z.object({ name: z.string(), url: z.string().describe('{path} is the folder') })) }),
  ),
  /** Writes one value into config.json and leaves every other byte, comments too. Refused when the file is not `base_hash` any more. */
  'config.edit': operation(
    z.object({
      path: z.string().min(1).max(200),
      value: SettingValue.describe('null: takes the setting out, so that the default holds'),
      base_hash: z.string().max(64).describe('From config.show'),
    }),
    ConfigView,
  ),
  /** What the engines' config files have of this Toryo, and what `toryo register` would change. Changes nothing. */
  'registration.list': operation(
    z.object({}),
    z.object({
      files: z.array(
        RegistrationView.extend({
          diff: z.string().nullable().describe('What registering would change'),
          removal: z
            .string()
            .nullable()
            .describe('What taking our entry out would change; null: there is none to take out'),
        }),
      ),
      problem: z.string().nullable().describe('Why nothing could be registered at all'),
    }),
  ),
  /** Enters Toryo in one config file, or takes it out, exactly as it was shown before. */
  'registration.apply': operation(
    z.object({
      file: z.string().min(1).max(4096),
      action: z.enum(['enter', 'take_out']),
      diff: z.string().max(1_000_000).describe('As registration.list showed it: other lines are not written'),
    }),
    RegistrationView,
  ),
}
