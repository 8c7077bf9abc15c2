// The dashboard's own files. They hold no data, so they need no token; what they ask for does.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import { codeOf } from '#system/files.ts'

type PageFile = { readonly type: string; readonly plain: Buffer; readonly gzip: Buffer | undefined }

/** What the hub answers itself, and no page may stand at. */
const OWN =
  /^\/(?:api|mcp|bridge|events|prompts|healthz|login|logout|assets)(?:\/|$)|^\/tabs\/[^/]+\/terminal$|^\/runs\/[^/]+\/log$/
/** A name with an ending is a file, and there are no others than those of the build. */
const FILE = /\.[^/]*$/
const INDEX = '/index.html'
/** Vite's build has it wherever a nonce belongs. */
const NONCE = '__NONCE__'

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
}

const OFF = ['accelerometer', 'autoplay', 'camera', 'display-capture', 'encrypted-media', 'geolocation', 'gyroscope']
const OFF_TOO = ['magnetometer', 'microphone', 'midi', 'payment', 'publickey-credentials-get', 'serial', 'usb']
const OFF_AS_WELL = ['bluetooth', 'fullscreen', 'hid', 'idle-detection', 'picture-in-picture', 'screen-wake-lock']

const HTML_HEADERS = {
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': [...OFF, ...OFF_TOO, ...OFF_AS_WELL].map(name => `${name}=()`).join(', '),
}

/** Is this an address of the page, whatever it shows there? */
export function isPagePath(path: string): boolean {
  return /^\/(?!\/)/.test(path) && URL.canParse(path, 'http://hub') && !OWN.test(path) && !FILE.test(path)
}

export class Page {
  readonly #folder: string
  #files: Map<string, PageFile> | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** True when the request has its answer. */
  serve(request: IncomingMessage, response: ServerResponse, path: string): boolean {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    // Programs show a token. They want the hub, not the page.
    if (request.headers.authorization !== undefined) return false
    const files = (this.#files ??= filesIn(this.#folder))
    const file = path === INDEX ? undefined : files.get(path)
    if (file) return sendFile(request, response, path, file)
    const index = isPagePath(path) || path === INDEX ? files.get(INDEX) : undefined
    if (index) return sendHtml(request, response, index)
    if (!path.startsWith('/assets/')) return false
    // Of an earlier build: the page that asks loads itself again.
    send(request, response, 404, Buffer.from('File not found.'), { 'content-type': 'text/plain; charset=utf-8' })
    return true
  }
}

function filesIn(folder: string): Map<string, PageFile> {
  const files = new Map<string, PageFile>()
  for (const entry of entriesIn(folder)) {
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const full = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, full).split(sep).join('/')}`
    files.set(path, { type, plain: readFileSync(full), gzip: readIfThere(`${full}.gz`) })
  }
  return files
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
  } catch (error) {
    // A hub that was built without the page.
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    // Not worth compressing.
    return undefined
  }
}

function sendFile(request: IncomingMessage, response: ServerResponse, path: string, file: PageFile): true {
  const gzip = acceptsGzip(request) ? file.gzip : undefined
  return send(request, response, 200, gzip ?? file.plain, {
    'content-type': file.type,
    // The names in there change with the content.
    'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'cross-origin-resource-policy': 'same-origin',
    vary: 'accept-encoding',
    ...(gzip && { 'content-encoding': 'gzip' }),
  })
}

function sendHtml(request: IncomingMessage, response: ServerResponse, { type, plain }: PageFile): true {
  const nonce = randomBytes(16).toString('base64')
  const html = Buffer.from(plain.toString('utf8').replaceAll(NONCE, nonce))
  return send(request, response, 200, html, {
    ...HTML_HEADERS,
    'content-type': type,
    'content-security-policy': policy(nonce),
  })
}

function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: Buffer,
  headers: Record<string, string>,
): true {
  response.writeHead(status, { ...headers, 'content-length': body.length })
  response.end(method === 'HEAD' ? undefined : body)
  return true
}

function acceptsGzip({ headers }: IncomingMessage): boolean {
  return /(?:^|,)\s*gzip\s*(?:,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|$)/i.test(String(headers['accept-encoding'] ?? ''))
}
