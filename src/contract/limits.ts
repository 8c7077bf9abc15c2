/** Bounds that both ends of a wire must agree on. */
export const FRAME_BYTES = 1024 * 1024
export const JSON_DEPTH = 64
export const JSON_KEYS = 10_000
export const RESULT_BYTES = 4 * 1024 * 1024
export const PAGE_MAX = 200
/** Of one look at the event log. */
export const EVENTS_MAX = 500
/** How many days `stats.daily` sums up at once. */
export const DAYS_MAX = 62

/** The relay between bridge and hub: each frame is `<sequence> <JSON-RPC>`, so that a replay is distinguished from a new call. */
export const RELAY_PROTOCOL = 'toryo-relay.2'
/** The same frames, each a line, without WebSocket around them. A hub that speaks it says so beside its proof. */
export const RELAY_LINES = 'toryo-lines.2'
export const RELAY_HEADER = 'x-toryo-relay'
/** What opens the hub's Unix socket to the operator's token. Given beside the proof to a client that shows, by the second header, that it knows the token. */
export const PASS_HEADER = 'x-toryo-pass'
export const PASS_FOR_HEADER = 'x-toryo-pass-for'
export const CONNECTION_HEADER = 'x-toryo-connection'
/** What the operator is called, URI-encoded. It distinguishes people and gives no rights; taken from operators alone. */
export const PERSON_HEADER = 'x-toryo-person'
export const LANG_HEADER = 'x-toryo-lang'
/** Beside the upgrade: how the tools of this connection refuse a call, for the bridge that must refuse one itself (ErrorForm[]). */
export const ERRORS_HEADER = 'x-toryo-errors'
export const DIRECTORY_HEADER = 'x-toryo-directory'

/**
 * A terminal and its viewers. Binary frames are its bytes, in both directions; text frames are JSON: `screen` (the next binary
 * frame draws the state from nothing), `resize`, `exit`, `notice` from the hub, `resize` from the viewer.
 */
export const TERMINAL_PROTOCOL = 'toryo-terminal.1'

/**
 * `/events` for pages: a browser drops a connection that answers none of the protocols it offered. With it come ticks, and
 * `worktree.changed` of the worktrees that the client names in `{"watch": [ids]}`.
 */
export const EVENTS_PROTOCOL = 'toryo-events.1'
/**
 * `/runs/{id}/log`: binary frames are its bytes; text frames are JSON: `from` (the offset of the next byte; with `shortened` where the
 * middle was dropped) and `ended`, after which the hub closes.
 */
export const LOG_PROTOCOL = 'toryo-log.1'
/** A browser can set no header on a WebSocket: the page's half of its credential comes as a second protocol, behind this. */
export const PAGE_PROTOCOL = 'page.'
/** The same half, of a request. */
export const PAGE_HEADER = 'x-toryo-page'
/** In answers of operations: the newest event that the answer is sure to include. */
export const SEQ_HEADER = 'x-toryo-seq'
/** How often `/events` says that the line is alive, to pages. */
export const TICK_MS = 15_000

/** So many worktrees a client of `/events` may watch at a time. */
export const MOST_WATCHED = 200

/** The name under which `toryo up` enters its MCP server in the engines' config files. */
export const REGISTERED_NAME = 'gwt-agent-bridge'

/** Where `toryo up` listens by default, unless another program does. */
export const USUAL_PORT = 4747

/** In the answer of a hub whose guard refuses a request: what it is about. */
export const REFUSED_HEADER = 'x-toryo-refused'
/** The Host that the client named is not among those the hub answers to. */
export const REFUSED_HOST = 'host'
