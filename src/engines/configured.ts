// Engines that a person describes in the configuration, in the form of output of one that we know.
import type { Config } from '#contract/config.ts'
import { TORYO_MODEL } from '#system/environment-names.ts'
import { BUILT_IN } from './built-in.gen.ts'
import type { Engine, EngineRequest, Invocation } from './engine.ts'
import { environment } from './environment.ts'
import { nameProblem } from './models.ts'
import { textReader } from './reader.ts'

type Described = Config['engines'][string]

export function configuredEngine(id: string, described: Described): Engine {
  const { headless, terminal, resume, version, output, models, env, projectConfig } = described
  const program = (headless ?? terminal)?.[0] ?? id
  const spoken = BUILT_IN.find(engine => engine.id === output)
  const start = async (request: EngineRequest, [name = program, ...args]: readonly string[]): Promise<Invocation> => ({
    args: withModel(args, request.model),
    env: await environment(request, env, {
      ...request.mcp?.env,
      ...(request.model ? { [TORYO_MODEL]: request.model } : {}),
    }),
    ...(name === program ? {} : { program: name }),
  })
  return {
    id,
    label: id,
    programs: [program],
    ...(version ? { version } : {}),
    capabilities: {
      mcp: true,
      resume: resume !== undefined,
      tellsEnd: spoken?.capabilities.tellsEnd ?? false,
      tellsCost: false,
    },
    projectConfig,
    knowsModels: !models.includes('*'),
    modelProblem: model => nameProblem(model) ?? (fits(model, models) ? undefined : `${id} does not run ${model}`),
    ...(headless
      ? { headless: async request => ({ ...(await start(request, headless)), stdin: request.prompt }) }
      : {}),
    ...(terminal ? { terminal: request => start(request, inTerminal(terminal, resume, request.session)) } : {}),
    reader: options => (spoken ? spoken.reader(options) : textReader(options)),
  }
}

function inTerminal(terminal: readonly string[], resume: readonly string[] | undefined, session: string | undefined) {
  if (session === undefined || resume === undefined) return terminal
  return resume.map(arg => arg.replaceAll('{session}', session))
}

/** Without a model the program chooses: what would name one is left out, with the option in front of it. */
function withModel(args: readonly string[], model: string | undefined): string[] {
  if (model !== undefined) return args.map(arg => arg.replaceAll('{model}', model))
  return args.filter((arg, at) => !arg.includes('{model}') && !(arg.startsWith('-') && args[at + 1] === '{model}'))
}

/** `*` stands for anything, also within a name. */
function fits(model: string, patterns: readonly string[]): boolean {
  return patterns.some(pattern => {
    const parts = pattern.split('*').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${parts.join('.*')}$`).test(model)
  })
}
