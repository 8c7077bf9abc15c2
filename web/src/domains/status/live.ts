import type { Live } from '../../hub/live.ts'
import { COST_TODAY, STATUS, TAB_COUNT } from './queries.ts'

const status: Live[string] = (_, { refetch }) => refetch(STATUS)
const tabs: Live[string] = (_, { refetch }) => refetch(TAB_COUNT)
const cost: Live[string] = (_, { refetch }) => refetch(COST_TODAY)

export const live: Live = {
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
