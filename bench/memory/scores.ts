/** How many results are looked at. */
export const AT = 10

/** Recall, hits and mean reciprocal rank over many questions. */
export class Scores {
  count = 0
  #recall = 0
  #hit = 0
  #reciprocal = 0

  add(found: readonly string[], wanted: readonly string[]): void {
    this.count += 1
    const distinct = new Set(wanted)
    const right = [...distinct].filter(key => found.includes(key)).length
    this.#recall += right / distinct.size
    this.#hit += right > 0 ? 1 : 0
    const first = found.findIndex(key => distinct.has(key))
    this.#reciprocal += first === -1 ? 0 : 1 / (first + 1)
  }

  get recall(): number {
    return (100 * this.#recall) / this.count
  }

  text(): string {
    const share = (sum: number) => ((100 * sum) / this.count).toFixed(1)
    return `R@${AT} ${share(this.#recall)}  hit@${AT} ${share(this.#hit)}  MRR ${share(this.#reciprocal)}`
  }
}
