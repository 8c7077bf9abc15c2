import { Prompts } from '#domains/phases/prompts.ts'
import { Phases } from '#domains/phases/service.ts'
import { Steering } from '#domains/phases/steering.ts'
import type { Folders } from '../project-folders.ts'
import type { Over } from '../services.ts'

export type PhaseServices = { prompts: Prompts; phases: Phases; steering: Steering }

export function phaseServices({ db, kernel }: Over, projects: Folders): PhaseServices {
  const { events, clock, remote, shelf } = kernel
  const prompts = new Prompts({ db, events, clock, remote, shelf })
  return {
    prompts,
    phases: new Phases({ db, events, clock, prompts, shelf, projects }),
    steering: new Steering({ db, events, clock, prompts, projects }),
  }
}
