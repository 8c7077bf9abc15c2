// A file that proves a promise of the README runs by day, too, with less of what takes long.

export const byDay = process.env['TORYO_TEST_TIER'] === 'day'

/** How often a kill or a race is tried. */
export function rounds({ day, night }: { day: number; night: number }): number {
  return byDay ? day : night
}
