// Where the replay stands: a time in the film, and the event of the address that goes with it.
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { countAt, type Film } from './model.ts'

export const SPEEDS = [1, 2, 4, 8, 16, 32, 64] as const

/** Where it stands in a film that has gone on: who looks at its end goes along, everybody else stays where they are. */
export const followed = (was: Film, film: Film, time: number): number => (time >= was.length ? film.length : time)

export type Player = {
  /** Milliseconds of the film. */
  time: number
  /** How many events have happened by then. */
  count: number
  isPlaying: boolean
  speed: number
  seek: (time: number) => void
  /** By so many events. */
  step: (by: number) => void
  toggle: () => void
  /** From the beginning. */
  play: () => void
  setSpeed: (speed: number) => void
}

/** `at`: the number of the event to begin after. */
export function usePlayer(film: Film, at: number | undefined): Player {
  const [time, setTime] = useState(() => startOf(film, at))
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<number>(4)
  const latest = useRef(time)
  latest.current = time
  const known = useRef(film)
  useLayoutEffect(() => {
    const next = followed(known.current, film, latest.current)
    known.current = film
    latest.current = next
    setTime(next)
  }, [film])
  useEffect(() => {
    if (!isPlaying) return undefined
    let frame = 0
    let last = performance.now()
    const draw = (now: number) => {
      const next = Math.min(film.length, latest.current + (now - last) * speed)
      last = now
      latest.current = next
      setTime(next)
      if (next >= film.length) setPlaying(false)
      else frame = requestAnimationFrame(draw)
    }
    frame = requestAnimationFrame(draw)
    return () => cancelAnimationFrame(frame)
  }, [film, isPlaying, speed])
  const count = time < 0 ? 0 : countAt(film, time)
  // At once, not with the next drawing: keys may come faster than a busy page draws, and each is a step.
  const put = (next: number) => {
    latest.current = next
    setTime(next)
  }
  return {
    ...{ time, count, isPlaying, speed, setSpeed },
    seek: next => {
      setPlaying(false)
      put(next)
    },
    step: by => {
      setPlaying(false)
      const { current } = latest
      put(timeAfter(film, (current < 0 ? 0 : countAt(film, current)) + by))
    },
    play: () => {
      put(-1)
      setPlaying(true)
    },
    toggle: () => {
      // From the end it begins again.
      if (!isPlaying && latest.current >= film.length) put(-1)
      setPlaying(!isPlaying)
    },
  }
}

function startOf(film: Film, at: number | undefined): number {
  if (at === undefined) return film.length
  const index = film.events.findLastIndex(({ seq }) => seq <= at)
  return timeAfter(film, index + 1)
}

/** Before the first event the time is below zero. */
function timeAfter({ times, length }: Film, count: number): number {
  return count <= 0 ? -1 : (times[Math.min(count, times.length) - 1] ?? length)
}
