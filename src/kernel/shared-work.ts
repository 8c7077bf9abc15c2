// Expensive work that many ask for: callers that wait for the same share one run of it, and only so many run at once. A run that has
// begun is not joined, since it may have looked at the world before the caller came: such a caller waits for the next.

type Job = {
  readonly key: string
  readonly work: (signal: AbortSignal) => Promise<unknown>
  readonly stop: AbortController
  readonly result: Promise<unknown>
  readonly settle: (result: Promise<unknown>) => void
  /** Those that still wait for it. */
  callers: number
}

export class SharedWork {
  readonly #most: number
  /** By key, in the order in which they came. */
  readonly #waiting = new Map<string, Job>()
  readonly #running = new Map<string, Job>()

  constructor(most: number) {
    this.#most = most
  }

  /** A caller that gives up leaves the others what they wait for; without callers the work is called off. */
  run<T>(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const job = this.#waiting.get(key) ?? this.#add(key, work)
    job.callers++
    this.#next()
    return new Promise<T>((resolve, reject) => {
      const leave = () => {
        reject(signal?.reason)
        if (--job.callers > 0) return
        job.stop.abort()
        if (this.#waiting.get(key) === job) this.#waiting.delete(key)
      }
      signal?.addEventListener('abort', leave, { once: true })
      job.result.then(value => resolve(value as T), reject).finally(() => signal?.removeEventListener('abort', leave))
    })
  }

  #add(key: string, work: Job['work']): Job {
    let settle: Job['settle'] = () => {}
    const result = new Promise<unknown>(resolve => (settle = resolve))
    const job: Job = { key, work, stop: new AbortController(), result, settle, callers: 0 }
    this.#waiting.set(key, job)
    return job
  }

  #next(): void {
    for (const [key, job] of this.#waiting) {
      if (this.#running.size >= this.#most) return
      if (this.#running.has(key)) continue
      this.#waiting.delete(key)
      this.#running.set(key, job)
      const result = job.work(job.stop.signal).finally(() => {
        this.#running.delete(key)
        this.#next()
      })
      job.settle(result)
    }
  }
}
