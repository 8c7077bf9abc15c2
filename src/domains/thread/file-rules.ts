// Which new files stay out of a snapshot until a person lets them in, and which changes reviewers must not overlook.
import { SNAPSHOT_BYTES, type FlaggedFile } from '#contract/thread.ts'
import { holdsCredential } from '#contract/secrets.ts'

/** Names under which programs keep secrets. Examples of such files are fine. */
const SECRET_NAMES = [
  /^\.env(?:rc|[.\-_].*)?$/,
  // Not code: `app.env.ts` reads what such a file says.
  /\.env(?:\.(?!(?:d\.)?[cm]?[jt]sx?$|py$|rb$|rs$|go$|md$)[^.].*)?$/,
  /\.(?:pem|key|ppk|p12|pfx|jks|keystore|kdbx|asc)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?!\.pub$)/,
  /^credentials(?:\.[\w-]+)?$/,
  /^(?:[._]netrc|\.pypirc|\.pgpass|\.my\.cnf|\.s3cfg|\.htpasswd|\.git-credentials|\.dockercfg|\.vault[-_]pass.*|kubeconfig)$/,
  /^(?:service[-_]?account|client[-_]secret)[\w-]*\.json$/,
  /^secrets?\.(?:json|ya?ml|toml|env|txt|ini)$/,
]
const SECRET_PATHS = /(?:^|\/)(?:\.kube\/config|\.docker\/config\.json)$/
const HARMLESS = /(?:[.\-_](?:example|sample|template|dist|defaults?)|\.pub)$/

/** As their programs write them: what only looks like one of our secrets, or of the well-known services'. */
const SECRET_TEXTS = [
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/,
  /---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----|PuTTY-User-Key-File-\d:|AGE-SECRET-KEY-1[0-9A-Z]{58}/,
  // Code hosts and package registries.
  /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{36}|npm_[A-Za-z0-9]{36})(?![A-Za-z0-9])/,
  /(?<![A-Za-z0-9])(?:github_pat_\w{50,}|gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|imt)-[\w-]{20,}|pypi-AgE[\w-]{30,}|dckr_pat_[\w-]{20,})/,
  /^[^#;\n]*_(?:authToken|password|auth)\s*=\s*[^\s$=]/m,
  // Clouds.
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[0-9A-Z]{16}(?![A-Za-z0-9])/,
  /(?<![A-Za-z0-9])(?:AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{30,}|dop_v1_[0-9a-f]{64}|hvs\.[\w-]{80,}|tskey-\w+-\w{10,}-\w{20,})/,
  /AccountKey=[A-Za-z0-9+/]{86}==/,
  // Models.
  /(?<![A-Za-z0-9])(?:sk-ant-[\w-]{20,}|sk-(?:proj-)?[\w-]{40,}|hf_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{50,}|r8_[A-Za-z0-9]{37}|xai-[A-Za-z0-9]{70,}|nvapi-[\w-]{60,})/,
  // Payments, mail and chat.
  /(?<![A-Za-z0-9])(?:[sr]k_live_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{32,}|shpat_[A-Fa-f0-9]{32}|SG\.[\w-]{20,}\.[\w-]{30,}|xox[abeprs]-[\w-]{20,}|xapp-[\w-]{30,})/,
  /https:\/\/hooks\.slack\.com\/services\/T\w+\/B\w+\/\w{20,}/,
  // The password of a database that is not only for tests here: not the name again, no placeholder, and another host than this.
  /(?<![a-z])(?:postgres(?:ql)?|mysql|mariadb|mssql|mongodb(?:\+srv)?|rediss?|amqps?)(?:\+\w+)?:\/\/([^\s:@/'"`]*):(?!\1@)[^\s@/'"`$<{*[][^\s@/'"`]*@(?!localhost\b|127\.|\[::1\]|0\.0\.0\.0\b)[\w.[-]/,
]

export function hasSecretName(path: string): boolean {
  const name = (path.split('/').at(-1) ?? '').toLowerCase()
  if (SECRET_PATHS.test(path.toLowerCase())) return true
  return !HARMLESS.test(name) && SECRET_NAMES.some(form => form.test(name))
}

/** Its bytes, a character each. In UTF-16 each letter of a secret has a NUL beside it; and one NUL hides nothing behind it. */
export function hasSecretText(bytes: string): boolean {
  const text = bytes.replaceAll('\0', '')
  return holdsCredential(text) || SECRET_TEXTS.some(form => form.test(text))
}

/**
 * Asked for the files of one snapshot one after another. New files that would bring them over the limit stay out, unread; smaller
 * ones after them still fit.
 */
export function holding(
  included: ReadonlySet<string>,
  holdsSecret: (path: string) => Promise<boolean>,
  most = SNAPSHOT_BYTES,
): (path: string, bytes: number, isNew: boolean) => Promise<'secret' | 'size' | undefined> {
  let left = most
  return async (path, bytes, isNew) => {
    if (!isNew || included.has(path)) return undefined
    if (hasSecretName(path)) return 'secret'
    if (bytes > left) return 'size'
    if (await holdsSecret(path)) return 'secret'
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

/** What test runners, linters, compilers, package managers and hooks read beside the code: any of it can make a check say yes. */
const CONFIGURATION = [
  /^(?:GNU)?makefile$|^(?:[Jj]ustfile|Rakefile|noxfile\.py|Taskfile\.ya?ml|.*\.mk)$/i,
  /^(?:\.npmrc|\.yarnrc(?:\.ya?ml)?|\.pnpmfile\.c?js|pnpm-workspace\.yaml|bunfig\.toml|deno\.jsonc?)$/,
  /^(?:vitest|vite|jest|mocha|karma|playwright|cypress|ava|wdio|babel|eslint|prettier|stylelint|commitlint|lint-staged|tsup|webpack|rollup)\.(?:config|conf|setup|workspace)\.\w+$/,
  /^\.(?:mocha|nyc|c8|tap|babel|eslint|oxlint|prettier|stylelint|lintstaged|pylint|coverage|swc)rc(?:\.\w+)?$|^\.(?:eslint|prettier|stylelint)ignore$/,
  /^(?:tsconfig|jsconfig)[\w.-]*\.json$|^(?:biome|turbo|nx|lerna|knip|pyrightconfig)\.jsonc?$/,
  /^\.?(?:pytest|mypy)\.ini$|^(?:tox\.ini|setup\.cfg|conftest\.py|\.flake8|\.?ruff\.toml|\.rspec|\.rubocop\.yml)$/,
  /^\.?(?:clippy|rustfmt|rust-toolchain)(?:\.toml)?$|^\.golangci\.\w+$|^(?:phpunit|psalm|phpstan)\.(?:xml|neon)(?:\.dist)?$/,
  /^(?:mix\.exs|rebar\.config|build\.(?:sbt|xml|zig)|meson\.build|Package\.swift|(?:BUILD|WORKSPACE|MODULE)(?:\.bazel)?|\.bazelrc|Directory\.Build\.\w+)$/,
  /^(?:setup|tasks|sitecustomize|usercustomize)\.py$|^(?:[Gg]runt|[Gg]ulp)file\.\w+$|^Dockerfile(?:\..*)?$|^(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml$/,
  // Which program of a name it is, and what lies beside the code.
  /^(?:\.envrc|\.?mise\.toml|\.tool-versions|\.(?:node|python|ruby|java)-version|\.nvmrc|\.worktreeinclude)$/,
  /^(?:build|settings)\.gradle(?:\.kts)?$|^pom\.xml$|^CMakeLists\.txt$|^(?:\.pre-commit-config|\.?lefthook)\.ya?ml$/,
]
const CONFIGURATION_PATHS = /(?:^|\/)(?:\.husky|\.githooks|\.cargo|\.yarn|\.mvn|node_modules|\.venv|gradle\/wrapper)\//

export function configuresChecks(path: string): boolean {
  return CONFIGURATION_PATHS.test(path) || CONFIGURATION.some(form => form.test(path.split('/').at(-1) ?? ''))
}

/** They say what is needed, which changes often, and how it is tested. */
export const MANIFEST = /(?:^|\/)(?:package\.json|composer\.json|pyproject\.toml|Cargo\.toml)$/

/** Whether more of a manifest has changed than what the project is called and which versions it needs. */
export function changesChecks(name: string, before: string, after: string): boolean {
  return name.endsWith('.json')
    ? restOfPackage(before) !== restOfPackage(after)
    : restOfToml(before) !== restOfToml(after)
}

const ABOUT =
  /^(?:name|version|description|keywords|author|contributors|license|homepage|repository|bugs|funding|files)$/
const NEEDS = /^(?:(?:dev|peer|optional)?[dD]ependencies|require(?:-dev)?)$/
const VERSION = /^[\w.*^~<>=|+ -]*$/

function restOfPackage(text: string): string {
  try {
    const entries = Object.entries(JSON.parse(text || '{}') as Record<string, unknown>)
    const rest = entries.flatMap(([key, value]) => {
      if (ABOUT.test(key)) return []
      if (!NEEDS.test(key) || typeof value !== 'object' || value === null) return [[key, value]]
      // Another program under the name of one that tests.
      const strange = Object.entries(value).filter(([, version]) => !VERSION.test(String(version)))
      return strange.length === 0 ? [] : [[key, strange]]
    })
    return JSON.stringify(rest.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)))
  } catch {
    return text // No tool reads it either, or each as it likes.
  }
}

/** Without the sections that name the project and what it needs. */
function restOfToml(text: string): string {
  let isNeed = false
  const kept = text.split(/\r?\n/).filter(line => {
    const [, header] = /^\s*\[+\s*([^\]]+?)\s*\]/.exec(line) ?? []
    if (header !== undefined) isNeed = /^project(?:\.|$)|(?:^|[.-])dependenc(?:ies|y-groups)(?:\.|$)/.test(header)
    return !isNeed && line.trim() !== '' && !/^\s*(?:#|version\s*=|description\s*=)/.test(line)
  })
  return kept.join('\n')
}
