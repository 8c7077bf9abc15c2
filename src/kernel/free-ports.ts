import { createServer } from 'node:net'

/** Whether programs could listen on all of these ports of this machine now. */
export async function areFree(from: number, to: number): Promise<boolean> {
  const ports = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  return (await Promise.all(ports.map(isFree))).every(Boolean)
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
