// Two programs in the places of bridge and hub that do nothing but pass on and answer: what the way alone costs.
// `passing-on.js answer <socket>` answers each line; `passing-on.js relay <socket>` connects its stdio with that.
import net from 'node:net'

const [part, socket = ''] = process.argv.slice(2)
if (part === 'answer') net.createServer(answer).listen(socket)
else {
  const hub = net.connect(socket)
  process.stdin.on('data', bytes => hub.write(bytes)).on('end', () => hub.end())
  hub.on('data', bytes => process.stdout.write(bytes))
}

/** @param {net.Socket} client */
function answer(client) {
  client.setEncoding('utf8').on('data', text => {
    const { id } = JSON.parse(String(text))
    const result = { content: [{ type: 'text', text: 'x'.repeat(400) }] }
    client.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
  })
}
