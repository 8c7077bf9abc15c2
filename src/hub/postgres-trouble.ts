// Why PostgreSQL could not be used, in one sentence with the next step. What it says itself is for its log.
import type { Text } from '#contract/errors.ts'

/** Undefined for what we know no better sentence for. `shownDb`: without a password. */
export function postgresTrouble(error: unknown, shownDb: string): Text | undefined {
  if (!URL.canParse(shownDb)) return undefined
  const { hostname, port, pathname, username } = new URL(shownDb)
  const place = `${hostname}:${port || '5432'}`
  const name = decodeURIComponent(pathname.slice(1)) || username
  const { code, message, path } = innermost(error)
  switch (code) {
    case 'ECONNREFUSED':
      return {
        en: `PostgreSQL does not answer at ${place}. Start it there, or correct the address in --db.`,
        ja: `${place} の PostgreSQL が応答しません。起動するか、--db のアドレスを確認してください。`,
      }
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        en: `The host ${hostname} is not known. Correct it in --db ${shownDb}.`,
        ja: `ホスト ${hostname} が見つかりません。--db ${shownDb} のホスト名を確認してください。`,
      }
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return {
        en: `PostgreSQL at ${place} cannot be reached from here. Check the network and its firewall.`,
        ja: `${place} の PostgreSQL に到達できません。ネットワークとファイアウォールを確認してください。`,
      }
    case 'ENOENT':
      // The only file that the driver reads is one that the address names.
      return path === undefined ? undefined : noCertificateFile(path)
    case '28P01':
    case '28000':
      if (/pg_hba\.conf.* no encryption/.test(message)) return mustEncrypt(place, username)
      return {
        en: `PostgreSQL at ${place} refuses the role ${username || '(none)'}. Create it (\`createuser --pwprompt ${username || '<role>'}\`), or correct role and password (PGPASSWORD or ~/.pgpass).`,
        ja: `${place} の PostgreSQL がロール ${username || '(なし)'} を拒否しました。\`createuser --pwprompt ${username || '<ロール>'}\` で作成するか、ロールとパスワード (PGPASSWORD または ~/.pgpass) を確認してください。`,
      }
    case '3D000':
      return {
        en: `PostgreSQL at ${place} has no database ${name}. Create it: \`createdb -O ${username || '<role>'} ${name}\`.`,
        ja: `${place} の PostgreSQL にデータベース ${name} がありません。\`createdb -O ${username || '<ロール>'} ${name}\` で作成してください。`,
      }
    case '42501':
      return {
        en: `The role ${username} may not create tables in the database ${name}. Make it the owner: \`ALTER DATABASE "${name}" OWNER TO "${username}"\`.`,
        ja: `ロール ${username} にはデータベース ${name} でテーブルを作成する権限がありません。\`ALTER DATABASE "${name}" OWNER TO "${username}"\` で所有者にしてください。`,
      }
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return {
        en: `The certificate of PostgreSQL at ${place} is signed by an authority that is not known here. Name its file in --db: &sslrootcert=/path/to/ca.pem.`,
        ja: `${place} の PostgreSQL の証明書は、未知の認証局によるものです。--db に認証局のファイルを指定してください: &sslrootcert=/path/to/ca.pem。`,
      }
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        en: `The certificate of PostgreSQL at ${place} is not for ${hostname}. Use a name that it has in --db, or make one with this name.`,
        ja: `${place} の PostgreSQL の証明書に ${hostname} が含まれていません。証明書にある名前を --db に指定するか、この名前を含む証明書を作成してください。`,
      }
    default:
      return undefined
  }
}

/** Its own sentence names pg_hba.conf in every language of the server. */
function mustEncrypt(place: string, username: string): Text {
  return {
    en: `PostgreSQL at ${place} does not let the role ${username} in without encryption. Add ?sslmode=verify-full to --db, or a line to its pg_hba.conf.`,
    ja: `${place} の PostgreSQL は、ロール ${username} の暗号化されていない接続を許可していません。--db に ?sslmode=verify-full を付けるか、pg_hba.conf に行を追加してください。`,
  }
}

function noCertificateFile(file: string): Text {
  return {
    en: `The file ${file}, which --db names for TLS, does not exist. Correct it there (sslrootcert, sslcert, sslkey).`,
    ja: `--db に TLS 用として指定されたファイル ${file} がありません。sslrootcert・sslcert・sslkey を確認してください。`,
  }
}

type Trouble = { code?: string; message: string; path?: string }

/** A name that leads to several addresses fails once for each, most likely in the same way. */
function innermost(error: unknown): Trouble {
  if (error instanceof AggregateError) return innermost(error.errors[0])
  const { code, message, path, cause } = (error ?? {}) as Partial<Record<string, unknown>>
  if (typeof code === 'string') return { code, message: String(message), ...(typeof path === 'string' && { path }) }
  return cause === undefined ? { message: '' } : innermost(cause)
}
