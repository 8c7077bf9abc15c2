// Which new files stay out of a snapshot until a person lets them in, and which changes reviewers must not overlook.
import { SNAPSHOT_BYTES, type FlaggedFile } from '#contract/thread.ts'
import { holdsCredential } from '#contract/secrets.ts'

/** Names under which programs keep secrets. Examples of such files are fine. */
const SECRET_NAMES = [
  /^\.env(?:rc|[.\-_].*)?$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?!\.pub$)/,
  /^credentials(?:\.[\w-]+)?$/,
  /^(?:\.netrc|\.pgpass|\.htpasswd|\.git-credentials|\.dockercfg|\.vault[-_]pass.*)$/,
  /^(?:service[-_]?account|client[-_]secret)[\w-]*\.json$/,
  /^secrets?\.(?:json|ya?ml|toml|env|txt|ini)$/,
]
const HARMLESS = /(?:[.\-_](?:example|sample|template|dist|defaults?)|\.pub)$/

/** As its programs write them: what only looks like one of our secrets, or of the well-known services'. */
const SECRET_TEXTS = [
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/,
  /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{50,}|glpat-[\w-]{20}|npm_[A-Za-z0-9]{36})(?![A-Za-z0-9])/,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[0-9A-Z]{16}(?![A-Za-z0-9])/,
  /(?<![A-Za-z0-9])(?:sk-(?:ant-|proj-)?[\w-]{40,}|xox[abprs]-[\w-]{20,}|AIza[\w-]{35})/,
  /^[^#;\n]*_authToken\s*=\s*[^\s$]/m,
]

/** Larger ones are not read for this. */
export const READ_BYTES = 64 * 1024

export function hasSecretName(path: string): boolean {
  const name = (path.split('/').at(-1) ?? '').toLowerCase()
  return !HARMLESS.test(name) && SECRET_NAMES.some(form => form.test(name))
}

export function hasSecretText(text: string): boolean {
  return holdsCredential(text) || SECRET_TEXTS.some(form => form.test(text))
}

/**
 * Asked for the files of one snapshot one after another. `textOf` answers undefined for what is not a plain small file. New files
 * that would bring them over the limit stay out; smaller ones after them still fit.
 */
export function holding(
  included: ReadonlySet<string>,
  textOf: (path: string) => string | undefined,
  most = SNAPSHOT_BYTES,
): (path: string, bytes: number, isNew: boolean) => 'secret' | 'size' | undefined {
  let left = most
  return (path, bytes, isNew) => {
    if (!isNew || included.has(path)) return undefined
    if (hasSecretName(path)) return 'secret'
    const text = bytes <= READ_BYTES ? textOf(path) : undefined
    if (text !== undefined && hasSecretText(text)) return 'secret'
    if (bytes > left) return 'size'
    left -= bytes
    return undefined
  }
}

const CI =
  /^(?:\.github\/(?:workflows|actions)\/|\.gitlab-ci\.yml$|\.gitlab\/ci\/|\.circleci\/|\.buildkite\/|\.travis\.yml$|azure-pipelines.*\.ya?ml$|Jenkinsfile|bitbucket-pipelines\.yml$|\.drone\.yml$|\.toryo\/)/
const LOCK =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|flake\.lock|mix\.lock|pubspec\.lock|Podfile\.lock|deno\.lock|gradle\.lockfile)$/
const TEST =
  /(?:^|\/)(?:__tests__|__snapshots__|tests?|specs?|e2e|testdata)\/|(?:^|\/)(?:test_[^/]*|conftest)\.py$|(?:^|\/)[^/]*(?:[._-](?:test|spec)s?\.[^/]+|_test\.[^/]+|Tests?\.(?:java|kt|cs|swift|scala))$|\.snap$/

/** What a change touches that decides whether a change is good. */
export function flagOf(path: string): FlaggedFile['why'] | undefined {
  if (CI.test(path)) return 'ci'
  if (LOCK.test(path)) return 'lock'
  return TEST.test(path) ? 'test' : undefined
}
