// Speaks to an OpenAI-compatible `/v1/embeddings`. The only part of memory that leaves this machine, and only when told to.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Embedder } from './ports.ts'
import { normalised } from './vectors.ts'

export type EmbedderOptions = { url: string; model: string; tokenFile?: string | undefined }

const Answer = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1) })) })

export function openAiEmbedder({ url, model, tokenFile }: EmbedderOptions): Embedder {
  return {
    model,
    async embed(texts, signal) {
      // Read each time: a token may be renewed while the hub runs.
      const token = tokenFile === undefined ? undefined : readFileSync(tokenFile, 'utf8').trim()
      const response = await fetch(address(url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        // Some models have nothing to say about an empty text.
        body: JSON.stringify({ model, input: texts.map(text => text || ' ') }),
        signal,
        // A token is for the configured address alone.
        redirect: 'error',
      })
      if (!response.ok) throw new Error(`the embedder answered ${response.status}`)
      const { data } = Answer.parse(await response.json())
      if (data.length !== texts.length)
        throw new Error(`the embedder gave ${data.length} vectors for ${texts.length} texts`)
      const ordered = data.toSorted((a, b) => a.index - b.index)
      return ordered.map(one => normalised(Float32Array.from(one.embedding)))
    },
  }
}

/** The configured address is the server, its `/v1`, or the whole path. */
function address(url: string): string {
  const base = url.replace(/\/+$/, '')
  if (base.endsWith('/embeddings')) return base
  return base.endsWith('/v1') ? `${base}/embeddings` : `${base}/v1/embeddings`
}
