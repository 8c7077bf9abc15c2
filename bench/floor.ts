// The floor: the least that an MCP server on this SDK can be. Each of our figures is set beside it, in the same run.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

serveStdio(() => {
  const server = new McpServer({ name: 'floor', version: '1.0.0' })
  const inputSchema = z.object({ text: z.string() })
  server.registerTool('echo', { description: 'Says it back', inputSchema }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }))
  return server
})
