// How our credentials look, so that none of them is written down or repeated where it was given by mistake.

/** What `Ids.secret` makes: a kind and 256 bits. In a line of JSON it may stand behind an escape such as `\n`, whose letter is no part of it. */
const CREDENTIAL =
  /(?:\b|(?<=\\[bfnrt])|(?<=\\u[0-9a-fA-F]{4}))(sess|key|tkt|rtk|ttk|rnr|opr|hub|mark|lgn|pgc|pgt)_[A-Za-z0-9_-]{20,}/g
/** One without its beginning, and the secret of a connection. Names that people choose are not all of these at once. */
const BARE =
  /(?:(?<![\w-])|(?<=\\[bfnrt])|(?<=\\u[0-9a-fA-F]{4}))(?:[0-9a-f]{64}|(?=[\w-]{0,42}[A-Z])(?=[\w-]{0,42}[a-z])(?=[\w-]{0,42}\d)[A-Za-z0-9_-]{43})(?![\w-])/g

/** The text without the credentials in it. */
export function withoutSecrets(text: string): string {
  return text.replace(CREDENTIAL, '$1_[hidden]').replace(BARE, '[hidden]')
}

/** Only what is ours beyond doubt: sums of files look like a bare one. */
export function holdsCredential(text: string): boolean {
  return text.search(CREDENTIAL) >= 0
}

/** For ids and names that are kept. */
export function looksSecret(text: string): boolean {
  return withoutSecrets(text) !== text
}

export const NO_SECRET = 'this looks like a credential; choose another'
export const isNoSecret = (name: string): boolean => !looksSecret(name)
