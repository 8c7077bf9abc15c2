import type { Live } from '../../hub/live.ts'
import { COST_TODAY, FILLED, FILLED_BY, STATUS, TAB_COUNT } from './queries.ts'

const status: Live[string] = (_, { refetch }) => refetch(STATUS)
const tabs: Live[string] = (_, { refetch }) => refetch(TAB_COUNT)
const cost: Live[string] = (_, { refetch }) => refetch(COST_TODAY)
/** What is filled stays so: it is asked about only as long as some view is empty. */
const filled: Live[string] = (_, { queries, refetch }) => {
  if (queries.getQueryData<string[]>(FILLED)?.length !== 0) refetch(FILLED)
}

export const live: Live = {
  ...Object.fromEntries(Object.values(FILLED_BY).flatMap(types => types.map(type => [type, filled]))),
  'instance.start_claimed': status,
  'instance.signed_in': status,
  'instance.signed_out': status,
  'instance.ended': status,
  'instance.lost': status,
  'engine.paused': status,
  'engine.resumed': status,
  'tab.created': tabs,
  'tab.ended': tabs,
  'run.ended': cost,
  'run.settled': cost,
}
