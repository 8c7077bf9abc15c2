// Our own small set: what a team building a product like this one decides, in Japanese, English and both. Each line holds
// one record and the questions that should find it. Written for this benchmark; indicative, not proof.

export type Case = { text: string; queries: string[] }

const LINES = `
認証には JWT を使い、アクセストークンは 15 分で失効させる | アクセストークンの有効期限 | 認証方式は何か | JWT の失効時間
Refresh tokens are kept in an httpOnly cookie and rotated on every use | where are refresh tokens stored | token rotation
データベースは既定で SQLite、チームで使うときだけ PostgreSQL にする | データベースの選択 | PostgreSQL を使う場面
We write in WAL mode with synchronous=FULL because losing a commit is worse than being slow | durability setting of sqlite | why synchronous FULL
コミットメッセージは英語で type(area): what の形にする | コミットメッセージの書式 | コミットは何語で書くか
Every error names the thing and the next step, in English and Japanese | how should error messages be written | error message style
タスクの状態は backlog から cancelled までの六つに限る | タスクの状態の種類 | タスクはどんな状態を持つか
A run that dies without a report is started again with back-off, at most five times | restart policy for dead agents | how often do we retry a crashed run
作業ツリーに未保存の変更があるときは絶対に削除しない | worktree の削除条件 | 未保存の変更がある作業ツリーの扱い
Ports: the hub listens on 4747 and takes another one when it is taken | default port | what happens when the port is in use
検索は NFKC と大文字小文字の畳み込みのあとに部分一致で行う | 全角半角の検索 | 部分一致検索の正規化
Ranking uses BM25 with title, text and context weighted .5, 1 and .4 | ranking weights | bm25 column weights
ログは JSON Lines で標準エラーに出し、標準出力は JSON-RPC だけにする | ログの出力先 | 標準出力に何を出すか
No production dependency may need an install script | dependency policy | may a package run install scripts
画面の言語は TORYO_LANG、なければ LANG で決める | 表示言語の決め方 | TORYO_LANG の優先順位
Secrets never appear in argv; a file with mode 0600 carries them | how are secrets passed to child processes | secrets in command line arguments
セッションは認証された呼び出しのたびに 3600 秒延長する | セッションの延長 | セッションの有効時間
Passkeys are hashed with scrypt and shown only once | how are passkeys stored | password hashing algorithm
エージェントへのメッセージは先に保存し、安全なときに届ける | メッセージの配送順序 | エージェント間メッセージの保存
Tests never sleep; they wait for an event or move the fake clock | sleeping in tests | fake clock in tests
レビューは一つの変更につき一つのプルリクエストで行う | プルリクエストの単位 | レビューの進め方
The dashboard is React with Vite and ships as built files | frontend framework | dashboard technology
バックアップは VACUUM INTO で書き、完了してから名前を付ける | バックアップの方法 | VACUUM INTO を使う理由
Idempotency keys come from the bridge: connection secret plus JSON-RPC id | where do idempotency keys come from | duplicate call protection
ワークツリーはリポジトリの外に置く | worktree の場所 | ワークツリーをどこに作るか
Limits: at most 8 tabs and 4 launches in any 60 seconds | tab limit | launch rate limit
設定ファイルは自分の書いた部分だけを変更し、元に戻せるようにする | 設定ファイルの編集方針 | 登録解除で元に戻す方法
Releases are cut from main every two weeks on Tuesday | release schedule | when do we release
障害時はまずキューを止めてから原因を調べる | 障害対応の手順 | インシデント時に最初にすること
The public API is versioned in the path, /v1, and never broken within a version | api versioning scheme | breaking changes policy
CSV の取り込みは Shift_JIS と UTF-8 の両方を受け付ける | CSV の文字コード | Shift_JIS のファイルを読めるか
Cache entries expire after one hour and a stale copy is served when the source is down | cache ttl | stale cache behaviour
画像は WebP に変換し、元の画像も 30 日残す | 画像形式 | 元画像の保存期間
Feature flags live in the database, not in environment variables | where are feature flags kept | feature flag storage
支払いは Stripe を使い、カード番号は保存しない | 決済サービス | カード番号の保存
parseHTTPHeader must accept folded header lines from old proxies | http header parsing | parse header folded lines
メールの送信は失敗しても注文を止めない | メール送信の失敗 | 注文とメールの関係
We support the last two Node LTS lines and drop others at once | supported node versions | node version policy
夜間バッチは 2 時に始め、4 時までに終わらせる | バッチ処理の時刻 | 夜間処理の終了時刻
Search results show at most 30 rows, newest first | how many search results | order of search results
個人情報は国内リージョンにだけ保存する | 個人情報の保存場所 | データのリージョン
GraphQL was rejected; REST with zod schemas is enough for us | why not graphql | rest or graphql
監視には Prometheus を使い、通知は Slack に送る | 監視ツール | アラートの通知先
The queue is bounded at 10,000 jobs and refuses more with RATE_LIMITED | queue size | what happens when the queue is full
テストデータベースは毎回新しく作り、終わったら消す | テスト用データベースの準備 | テスト後の片付け
Dates are stored as epoch milliseconds and shown in the user's time zone | date storage format | time zone handling
管理画面へのログインは二要素認証を必須にする | 二要素認証 | 管理画面のログイン
Docker images are built from distroless and scanned before they are pushed | base image for docker | container scanning
用語はグロッサリーで一つに決め、別名を使わない | 用語の統一 | グロッサリーの役割
Rollbacks are done by deploying the previous tag, never by editing a server | how to roll back | rollback procedure
ユーザー ID は uuidv7 にプレフィックスを付ける | ID の形式 | ユーザー ID の作り方
Uploads above 25 MB go straight to object storage with a signed URL | large file uploads | upload size limit
`

export const cases: Case[] = LINES.trim()
  .split('\n')
  .map(line => {
    const [text = '', ...queries] = line.split(' | ')
    return { text, queries }
  })

/** Talk around the decisions, so that there is something else to find. */
export const chatter = `
AI: この方針でよいですか ユーザー: はい、進めてください
AI: I can start with the tests. User: please do
ユーザー: 昨日の件はどうなりましたか AI: まだ確認中です
AI: The build is green again. User: thanks
ユーザー: 会議は何時からですか AI: 三時からです
AI: Two options remain. User: let us decide tomorrow
AI: ドキュメントを更新しました ユーザー: ありがとうございます
User: can you check the staging server AI: it answers
AI: 依存関係を更新しますか ユーザー: 来週にしましょう
User: who reviews this AI: Hanako does
`
  .trim()
  .split('\n')
