// T06: fifty clients use the same JSON-RPC ids at the same time; each hears only what it asked.
import { expect, test } from 'vitest'
import { databases } from './hub.ts'
import { RawSocket } from './raw-socket.ts'
import { onStage, rowsOf } from './scene.ts'

const CLIENTS = 50
const CALLS = 100

test.each(databases)('no reply reaches another client, also while some are cut off (%s)', database =>
  onStage({ database }, async ({ hub, taskId }) => {
    const sockets = await Promise.all(Array.from({ length: CLIENTS }, () => RawSocket.open(hub)))
    const heard = await Promise.all(
      sockets.map(async (socket, client) => {
        const calls = Array.from({ length: CALLS }, (_, id) => {
          const nonce = `client-${client}-call-${id}-`
          return id % 20 === 0
            ? socket.call('save_context', { task_id: taskId, progress: nonce }, { id, number: id })
            : socket.call('get_task', { task_id: nonce }, { id, number: id })
        })
        // Every fifth client goes away with its calls in flight.
        if (client % 5 === 4) return socket.cut()
        const answers = await Promise.all(calls)
        return answers.every((answer, id) => JSON.stringify(answer).includes(`client-${client}-call-${id}-`))
      }),
    )
    expect(heard.filter(right => right === true)).toHaveLength(CLIENTS - CLIENTS / 5)
    const saved = (await rowsOf(hub, 'notes'))['notes']?.map(({ progress }) => progress) ?? []
    expect(new Set(saved).size).toBe(saved.length)
    expect(saved.length).toBeGreaterThanOrEqual((CLIENTS - CLIENTS / 5) * 5)
    for (const socket of sockets) socket.cut()
  }),
)
