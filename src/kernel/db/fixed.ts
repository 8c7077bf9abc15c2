import type { CompiledQuery, Kysely } from 'kysely'
import type { Rows } from './db.ts'

type Values = Record<string, string | number | Uint8Array | null>
type Built<R> = { compile(): CompiledQuery<R> }
type Fixed = { compiled: CompiledQuery; names: readonly string[] }

/**
 * For queries on the way of every call. Their text is always the same, so it is built and compiled once per connection and
 * run with new values each time: building costs more than SQLite takes to answer.
 */
export function fixed<T, V extends Values, R>(
  build: (q: Kysely<T>, values: V) => Built<R>,
): (rows: Rows, values: V) => Promise<R[]> {
  const known = new WeakMap<object, Fixed>()
  return (rows, values) => {
    const q = rows.tables<T>()
    let query = known.get(q)
    if (!query) {
      query = compile(build(q, PLACEHOLDERS as unknown as V))
      known.set(q, query)
    }
    const { compiled, names } = query
    // Not by spreading, which costs as much as all the rest here.
    const { query: node, queryId, sql } = compiled
    return rows.run({ query: node, queryId, sql, parameters: names.map(name => values[name]) })
  }
}

/** Stands in the query for the value of this name. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const PLACEHOLDERS = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

function compile(built: Built<unknown>): Fixed {
  const compiled = built.compile()
  const names = compiled.parameters.map(parameter => {
    if (parameter instanceof Placeholder) return parameter.name
    throw new Error(`a fixed query takes all its values by name: ${compiled.sql}`)
  })
  return { compiled, names }
}
