import { error, errors, type Text } from '#contract/errors.ts'

/** Why a client has no hub to talk to. The sentences of a hub that refuses to start are passed on as they are. */
export const ClientError = errors({
  DB_NOT_UNDERSTOOD: error('invalid', (p: { db: string; why: Text }) => ({
    en: `Cannot use the database ${quoted(p.db)}: ${p.why.en}`,
    ja: `データベース ${quoted(p.db)} は使えません: ${p.why.ja}`,
  })),
  PATH_NOT_TRUSTED: error('forbidden', (p: { path: string; why: Text }) => ({
    en: `Refused to trust ${p.path}: ${p.why.en}`,
    ja: `${p.path} は信頼できないため使用しません: ${p.why.ja}`,
  })),
  PATH_NOT_USABLE: error('conflict', (p: { path: string; reason: Text }) => ({
    en: `Cannot use ${p.path}: ${p.reason.en}. Choose another place with --db or TORYO_HOME.`,
    ja: `${p.path} を使えません: ${p.reason.ja}。--db または TORYO_HOME で別の場所を指定してください。`,
  })),
  NO_TOKEN: error('conflict', (p: { path: string; why: Text }) => ({
    en: `No token in ${p.path}: ${p.why.en}. Put there what \`toryo token\` prints on the hub's machine.`,
    ja: `${p.path} にトークンがありません: ${p.why.ja}。ハブのマシンで \`toryo token\` が表示する値を入れてください。`,
  })),
  HUB_NOT_BUILT: error('conflict', (p: { program: string }) => ({
    en: `The hub's program ${p.program} is missing; run \`npm run build\`, or install toryo again.`,
    ja: `ハブのプログラム ${p.program} がありません。\`npm run build\` を実行するか、toryo を再インストールしてください。`,
  })),
  HUB_REFUSED: error('conflict', (p: { sentence: string }) => ({
    en: `The hub did not start: ${p.sentence}`,
    ja: `ハブを起動できませんでした: ${p.sentence}`,
  })),
  HUB_NOT_READY: error('unavailable', (p: { seconds: number; log: string }) => ({
    en: `No hub answered within ${p.seconds} s; its log is ${p.log}. \`toryo doctor\` looks for the cause.`,
    ja: `${p.seconds} 秒以内にハブが応答しませんでした。ログは ${p.log} です。\`toryo doctor\` で原因を調べられます。`,
  })),
  HUB_NOT_PROVEN: error('unavailable', (p: { url: string; at: string; socketPath: string | undefined }) => ({
    en: `What answers at ${p.socketPath ?? p.url} did not prove that it is the hub and that nothing stands between; it was sent no token.${p.socketPath === undefined ? ` If a port forward or proxy of your own leads from there to the hub, start the hub with \`toryo up --allow-host ${p.at}\`.` : ''}`,
    ja: `${p.socketPath ?? p.url} で応答している相手がハブ本体であり、途中に何も介在していないことを確認できなかったため、トークンは送信していません。${p.socketPath === undefined ? `自分で設定したポート転送やプロキシを経由する場合は、ハブを \`toryo up --allow-host ${p.at}\` で起動してください。` : ''}`,
  })),
  HOST_NOT_ALLOWED: error('unavailable', (p: { url: string; at: string }) => ({
    en: `The hub at ${p.url} does not answer to this name or address (Host not allowed), so it was sent no token. Start the hub with \`toryo up --allow-host ${nameable(p.at)}\`.`,
    ja: `${p.url} のハブは、この名前またはアドレスでの接続を許可していません (Host not allowed)。トークンは送信していません。ハブを \`toryo up --allow-host ${nameable(p.at)}\` で起動してください。`,
  })),
  CERTIFICATE_REFUSED: error('unavailable', (p: { url: string; host: string; problem: CertificateProblem }) =>
    certificateText(p.url, p.host, p.problem),
  ),
  TOKEN_UNKNOWN: error('unauthenticated', (p: { url: string }) => ({
    en: `The hub at ${p.url} does not know this token, so it was not sent. A hub's own token changes with every start (\`toryo token\` prints it). One that lasts comes from \`toryo token create\`, a Runner's from \`toryo runner token\`.`,
    ja: `${p.url} のハブはこのトークンを知らないため、トークンは送信していません。ハブ自身のトークンは起動のたびに変わります (\`toryo token\` で表示)。長く使えるトークンは \`toryo token create\`、Runner のトークンは \`toryo runner token\` で発行します。`,
  })),
  HUB_OUTDATED: error('conflict', (p: { url: string }) => ({
    en: `The hub at ${p.url} is of an older version and cannot prove itself in the way this version asks for. Update it and start it again: end its process, then run \`toryo up\`.`,
    ja: `${p.url} のハブはバージョンが古く、現在の方式で本人確認ができません。ハブを更新し、プロセスを終了してから \`toryo up\` で起動し直してください。`,
  })),
  NOT_A_HUB: error('unavailable', (p: { url: string; status: number }) => ({
    en: `What answers at ${p.url} is not a Toryo hub (HTTP ${p.status}).`,
    ja: `${p.url} で応答しているのは Toryo のハブではありません (HTTP ${p.status})。`,
  })),
})

type CertificateProblem = 'authority' | 'name' | 'expired'

const CERTIFICATE_CODES: Readonly<Record<string, CertificateProblem>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'name',
  CERT_HAS_EXPIRED: 'expired',
}

/** What is wrong with a certificate, where that is why a connection failed. */
export function certificateProblem(cause: unknown): CertificateProblem | undefined {
  return CERTIFICATE_CODES[String((cause as NodeJS.ErrnoException | null)?.code)]
}

function certificateText(url: string, host: string, problem: CertificateProblem): Text {
  switch (problem) {
    case 'authority':
      return {
        en: `The certificate of the hub at ${url} is signed by an authority that is not known here, so the hub was sent no token. Name the authority's file: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.`,
        ja: `${url} のハブの証明書は未知の認証局によるものです。トークンは送信していません。認証局のファイルを NODE_EXTRA_CA_CERTS=/path/to/ca.pem で指定してください。`,
      }
    case 'name':
      return {
        en: `The certificate of the hub at ${url} is not for ${host}, so the hub was sent no token. Use a name or address that it has, or make one for ${host}.`,
        ja: `${url} のハブの証明書に ${host} が含まれていません。トークンは送信していません。証明書にある名前かアドレスを使うか、${host} を含む証明書を作成してください。`,
      }
    default:
      return {
        en: `The certificate of the hub at ${url} has expired, so the hub was sent no token. Make a new one and start the hub with it.`,
        ja: `${url} のハブの証明書は期限が切れています。トークンは送信していません。新しい証明書を作成し、それを使ってハブを起動し直してください。`,
      }
  }
}

/** The hub answers to its machine's own names; where these lead to it by another port, the port is what is new. */
function nameable(at: string): string {
  return /^(127\.[\d.]+|localhost|\[::1\]):/.test(at) ? at : at.replace(/:\d+$/, '')
}

function quoted(value: string): string {
  return JSON.stringify(value.length > 200 ? `${value.slice(0, 200)}…` : value)
}

/** Why a file or folder cannot be made or written, without the words of the operating system where there are better ones. */
export function whyNotWritable(cause: unknown): Text {
  const { code = '', message } = cause as NodeJS.ErrnoException
  return WORDS[code] ?? { en: message, ja: message }
}

const REFUSED: Text = { en: 'you may not write there', ja: '書き込む権限がありません' }
const WORDS: Readonly<Record<string, Text>> = {
  EROFS: { en: 'its file system is read-only', ja: 'ファイルシステムが読み取り専用です' },
  EACCES: REFUSED,
  EPERM: REFUSED,
  ENOSPC: { en: 'the disk is full', ja: 'ディスクに空きがありません' },
  ENOTDIR: { en: 'a part of the path is not a folder', ja: 'パスの途中がフォルダーではありません' },
}
