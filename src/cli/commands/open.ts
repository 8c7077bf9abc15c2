import path from 'node:path'
import { locate } from '#client/locate.ts'
import { openBrowser } from '#system/open-browser.ts'
import { command } from '../define.ts'

type Options = { open: boolean }

const words = {
  opened: { en: 'Opened the dashboard in your browser.', ja: 'ブラウザーでダッシュボードを開きました。' },
  link: {
    en: 'This link signs one browser in, once, within ten minutes:',
    ja: 'このリンクで、10 分以内に一度だけ、ブラウザーをサインインできます。',
  },
}

export default command<[], Options>({
  summary: { en: 'Open the dashboard', ja: 'ダッシュボードを開く' },
  group: 'hub',
  order: 2,
  when: { en: 'When you want to see everything in your browser.', ja: 'ブラウザーで全体を見たいときに使います。' },
  about: {
    en: 'Prints a link that signs a browser in to the dashboard, and opens it when this is a terminal on a desktop. The link works once, within ten minutes. A hub is started if none runs.',
    ja: 'ブラウザーをダッシュボードにサインインさせるリンクを表示し、デスクトップのターミナルではブラウザーで開きます。リンクは 10 分以内に一度だけ使えます。ハブが動いていなければ起動します。',
  },
  options: [{ flags: '--no-open', text: { en: 'Only print the link', ja: 'リンクの表示だけを行う' } }],
  examples: [
    ['toryo open', { en: 'in the default browser', ja: '既定のブラウザーで開く' }],
    ['toryo open --no-open', { en: 'for a browser on another machine or profile', ja: '別のブラウザーで使う' }],
  ],
  output: 'open',
  async run(cx, options) {
    const { io } = cx
    const hub = await cx.connect()
    const link = await hub.call('hub.login_link', {})
    // As this program reaches it, which may be from another machine.
    const url = new URL(new URL(link.url).hash, hub.url).href
    const mayOpen = options.open && cx.global.json !== true && io.width !== undefined
    const opened = mayOpen && (await openBrowser(url, path.join(locate(undefined, io).home, 'open'), io.env))
    const text = [...(opened ? [io.say(words.opened)] : []), io.say(words.link), `  ${url}`]
    return { json: { url, expires_at: link.expires_at, opened }, text: text.join('\n') }
  },
})
