import { type Place, placeOf } from './paths.ts'
import type { Connection } from './tool.ts'

/** Where a client was started does not change while it is connected, so it is looked up once. */
const homes = new WeakMap<Connection, Place>()

export async function homeOf(connection: Connection, folder: string): Promise<Place> {
  const known = homes.get(connection)
  if (known) return known
  const place = await placeOf(folder)
  if (place.kind === 'folder') homes.set(connection, place)
  return place
}
