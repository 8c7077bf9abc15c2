import type { Live } from '../../hub/live.ts'
import { STATUS, TAB_COUNT } from './queries.ts'

const status: Live[string] = (_, { refetch }) => refetch(STATUS)
const tabs: Live[string] = (_, { refetch }) => refetch(TAB_COUNT)

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
}
