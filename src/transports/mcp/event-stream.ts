/** How long a client waits before it comes back to a stream that broke. */
export const RETRY_MS = 1000

/**
 * The response as it is; its end is always reported: it was read to the end, or the client has gone. `first` goes ahead of an
 * event stream's own events.
 */
export function watched(response: Response, ended: () => void, first?: string): Response {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (!response.body || !isStream) {
    ended()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (first !== undefined) controller.enqueue(new TextEncoder().encode(first))
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      ended()
    },
    cancel(reason) {
      ended()
      return reader.cancel(reason)
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}

/** The first lines of a stream: when to come back, and what to name then. Clients before 2025-11-25 cannot read an empty event. */
export function beginning(eventId: string, protocolVersion: string | null): string {
  const isRead = protocolVersion !== null && protocolVersion >= '2025-11-25'
  return isRead ? `id: ${eventId}\nretry: ${RETRY_MS}\ndata: \n\n` : `retry: ${RETRY_MS}\n\n`
}
