import { useQuery } from '@tanstack/react-query'
import { call } from '../../hub/call.ts'
import { keys } from './live.ts'

export const useWhoami = () =>
  useQuery({ queryKey: keys.whoami, queryFn: async ({ signal }) => (await call('hub.whoami', {}, { signal })).value })

export const useHub = () =>
  useQuery({ queryKey: keys.hub, queryFn: async ({ signal }) => (await call('hub.status', {}, { signal })).value })

export const useEngines = () =>
  useQuery({
    queryKey: keys.engines,
    queryFn: async ({ signal }) => (await call('engine.list', {}, { signal })).value.engines,
    refetchOnMount: 'always',
  })

/** What programs say of themselves: the hub asked them when it looked for roles. */
export const useVersions = () =>
  useQuery({
    queryKey: keys.versions,
    queryFn: async ({ signal }) => {
      const { roles } = (await call('role.list', {}, { signal })).value
      return new Map(roles.flatMap(({ engine, health_check }) => (engine === null ? [] : [[engine, health_check]])))
    },
  })

export const useRegistration = () =>
  useQuery({
    queryKey: keys.registration,
    queryFn: async ({ signal }) => (await call('registration.list', {}, { signal })).value,
    // Other programs write these files.
    refetchOnMount: 'always',
  })

export const useRunners = () =>
  useQuery({
    queryKey: keys.runners,
    queryFn: async ({ signal }) => (await call('runner.list', {}, { signal })).value.runners,
    refetchOnMount: 'always',
  })

export const useTokens = () =>
  useQuery({
    queryKey: keys.tokens,
    queryFn: async ({ signal }) => (await call('token.list', {}, { signal })).value.tokens,
    refetchOnMount: 'always',
  })

export const useBrowsers = () =>
  useQuery({
    queryKey: keys.browsers,
    queryFn: async ({ signal }) => (await call('page.list', {}, { signal })).value.pages,
    refetchOnMount: 'always',
  })

export const useDoctor = () =>
  useQuery({
    queryKey: keys.doctor,
    queryFn: async ({ signal }) => (await call('doctor.run', {}, { signal })).value,
    refetchOnMount: 'always',
  })

export const useConfig = () =>
  useQuery({
    queryKey: keys.config,
    queryFn: async ({ signal }) => (await call('config.show', {}, { signal })).value,
    // An editor may have written it.
    refetchOnMount: 'always',
  })
