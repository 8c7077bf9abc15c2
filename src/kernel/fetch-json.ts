// Reads JSON from a machine that we do not control: bounded in time, in bytes and in where it may send us.

export type FetchFault = 'unreachable' | 'timeout' | 'too_large' | 'redirected' | 'not_json'
export type Fetched =
  | { readonly status: number; readonly value: unknown }
  | { readonly fault: FetchFault; readonly cause?: unknown }

export type FetchLimits = { timeoutMs: number; bytes: number }
export type Get = (url: URL, init: { headers: Record<string, string>; signal: AbortSignal }) => Promise<Response>

const REDIRECTS = 3

/** Never throws. Only the body of a 200 is read, and only JSON objects of bounded size come back. */
export async function fetchJson(
  url: URL,
  headers: Record<string, string>,
  limits: FetchLimits,
  get: Get = (at, init) => fetch(at, { ...init, redirect: 'manual' }),
): Promise<Fetched> {
  const signal = AbortSignal.timeout(limits.timeoutMs)
  try {
    let at = url
    for (let hop = 0; hop <= REDIRECTS; hop++) {
      const response = await get(at, { headers, signal })
      const next = redirection(response, at)
      if (next === undefined) return await read(response, limits.bytes)
      await response.body?.cancel()
      // The token in the headers is for this origin alone.
      if (next.origin !== url.origin) return { fault: 'redirected' }
      at = next
    }
    return { fault: 'redirected' }
  } catch (cause) {
    return { fault: signal.aborted ? 'timeout' : 'unreachable', cause }
  }
}

function redirection(response: Response, from: URL): URL | undefined {
  const location = response.headers.get('location')
  return response.status >= 300 && response.status < 400 && location !== null && URL.canParse(location, from.href)
    ? new URL(location, from)
    : undefined
}

async function read(response: Response, limit: number): Promise<Fetched> {
  if (response.status !== 200) {
    await response.body?.cancel()
    return { status: response.status, value: undefined }
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop cancels the rest.
    if (size > limit) return { fault: 'too_large' }
    chunks.push(chunk)
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
    return { status: 200, value: JSON.parse(text) as unknown }
  } catch (cause) {
    return { fault: 'not_json', cause }
  }
}
