// What `toryo task pr` says.
const again = (handle: string) => `\`toryo task pr ${handle}\``

export const pullWords = {
  where: (directory: string, url: string) => ({
    en: `In ${directory}, to ${url}:`,
    ja: `${directory} から ${url} へ実行します:`,
  }),
  title: { en: 'title', ja: 'タイトル' },
  body: { en: 'text', ja: '本文' },
  accepts: (handle: string) => ({
    en: `${handle} is not accepted yet: opening the pull request accepts it.`,
    ja: `${handle} はまだ承認されていません。プルリクエストを作成すると承認したことになります。`,
  }),
  leaves: (handle: string) => ({
    en: `${handle} then waits for its pull request and is not merged here.`,
    ja: `以後 ${handle} はプルリクエストのマージを待ち、ここではマージしません。`,
  }),
  ask: { en: 'Run these? [y/N] ', ja: '実行しますか? [y/N] ' },
  notYet: (handle: string) => ({
    en: `Nothing was run. \`toryo task pr ${handle} --yes\` runs it.`,
    ja: `まだ何も実行していません。\`toryo task pr ${handle} --yes\` で実行します。`,
  }),
  opened: (handle: string, url: string) => ({
    en: `Opened ${url}. ${handle} is merged when its base has it here (git fetch), or when you say so: \`toryo task pr ${handle} --merged\`.`,
    ja: `${url} を作成しました。ベースに取り込まれたことがここで分かる (git fetch) か、\`toryo task pr ${handle} --merged\` を実行すると、${handle} はマージ済みになります。`,
  }),
  updated: (handle: string, url: string) => ({
    en: `Pushed the newest work of ${handle}; ${url} has it.`,
    ja: `${handle} の最新の作業を push しました。${url} に反映されます。`,
  }),
  recorded: (handle: string, url: string) => ({
    en: `${handle} waits for ${url} now and is not merged here.`,
    ja: `${handle} は ${url} のマージを待ちます。ここではマージしません。`,
  }),
  merged: (handle: string) => ({ en: `${handle} is merged.`, ja: `${handle} はマージ済みになりました。` }),
  partly: (handle: string) => ({
    en: `The pull request is merged. ${handle} has newer work, which is not in it; \`toryo task show ${handle}\` shows where that stands.`,
    ja: `プルリクエストはマージ済みです。${handle} にはそれに含まれない新しい作業があります (\`toryo task show ${handle}\` で確認できます)。`,
  }),
  closed: (handle: string) => ({
    en: `${handle} has no open pull request any more. \`toryo task merge ${handle}\` merges it here instead.`,
    ja: `${handle} のプルリクエストは終了として記録しました。ここでマージするには \`toryo task merge ${handle}\` を実行してください。`,
  }),
  one: {
    en: 'Give one of --opened, --merged and --closed.',
    ja: '--opened、--merged、--closed はいずれか 1 つだけを指定してください。',
  },
  noFolder: (directory: string) => ({
    en: `The repository is in ${directory} on the machine of the hub, and not on this one. Run this there.`,
    ja: `リポジトリはハブのマシンの ${directory} にあり、このマシンにはありません。ハブのマシンで実行してください。`,
  }),
  noGh: (handle: string) => ({
    en: `\`gh\` was not found. Install it (https://cli.github.com), or open the pull request yourself and record it: ${again(handle)} --opened <address>.`,
    ja: `\`gh\` が見つかりません。インストールする (https://cli.github.com) か、自分でプルリクエストを作成して ${again(handle)} --opened <URL> で記録してください。`,
  }),
  notSignedIn: (handle: string) => ({
    en: `\`gh\` is not signed in. Run \`gh auth login\`, then ${again(handle)} again.`,
    ja: `\`gh\` にサインインしていません。\`gh auth login\` の後、もう一度 ${again(handle)} を実行してください。`,
  }),
  noRemote: (directory: string) => ({
    en: `The repository in ${directory} has no remote to push to. Add one with \`git remote add origin <address>\`.`,
    ja: `${directory} のリポジトリには push 先のリモートがありません。\`git remote add origin <URL>\` で追加してください。`,
  }),
  whichRemote: (names: string) => ({
    en: `The repository has several remotes (${names}). Name one with --remote.`,
    ja: `リモートが複数あります (${names})。--remote で指定してください。`,
  }),
  noAnswer: (remote: string, said: string) => ({
    en: `${remote} cannot be reached, and nothing was pushed: ${said}. Check it with \`git ls-remote ${remote}\`, then try again.`,
    ja: `${remote} に接続できないため、何も push していません: ${said}。\`git ls-remote ${remote}\` で確認してから再実行してください。`,
  }),
  behind: (handle: string, ref: string) => ({
    en: `The push was refused: the remote has commits on ${ref.replace(/^.*:refs\/heads\//, '')} that are not from Toryo. Bring them into the workspace of ${handle} or remove that branch, then try again. ${handle} stays out of the queue; \`toryo task merge ${handle}\` puts it back.`,
    ja: `push が拒否されました。リモートの ${ref.replace(/^.*:refs\/heads\//, '')} に Toryo 以外のコミットがあります。${handle} のワークスペースに取り込むか、そのブランチを削除して再実行してください。${handle} はキューから外れたままです (\`toryo task merge ${handle}\` で戻せます)。`,
  }),
  refused: (handle: string, said: string) => ({
    en: `The push was refused: ${said}. No pull request was opened. Fix that and try again; ${handle} stays out of the queue until then, or until \`toryo task merge ${handle}\` puts it back.`,
    ja: `push が拒否されました: ${said}。プルリクエストは作成していません。原因を直して再実行してください。それまで ${handle} はキューから外れます (\`toryo task merge ${handle}\` で戻せます)。`,
  }),
  exists: (handle: string, url: string) => ({
    en: `The branch has a pull request already, and the push has updated it: ${url}. Record it with ${again(handle)} --opened ${url}.`,
    ja: `このブランチにはすでにプルリクエストがあり、push で更新されました: ${url}。${again(handle)} --opened ${url} で記録してください。`,
  }),
  notOpened: (handle: string, said: string) => ({
    en: `The branch was pushed, but \`gh\` could not open a pull request: ${said}. Fix that and run ${again(handle)} again, or open it yourself and record it with --opened.`,
    ja: `ブランチは push しましたが、\`gh\` でプルリクエストを作成できませんでした: ${said}。原因を直してもう一度 ${again(handle)} を実行するか、自分で作成して --opened で記録してください。`,
  }),
}
