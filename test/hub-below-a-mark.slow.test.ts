// A person who develops with hubs inside a tab of another hub: a hub that was itself started below a mark serves its own people.
import { expect, test } from 'vitest'
import { Toryo } from './toryo.ts'

const inTab = { TORYO_MARK: 'mark_of_the_tab_around_us' }
const inAnother = { TORYO_MARK: 'mark_of_another_tab' }

test('one in the foreground serves who is in the same tab, and nobody of another', async () => {
  await using toryo = new Toryo()
  toryo.more = inTab
  await toryo.start('up', '--no-runner', '--no-register', '--port', '0').output(/127\.0\.0\.1/)
  expect(await toryo.run(['task', 'list'])).toMatchObject({ code: 0 })
  expect(await toryo.run(['task', 'list'], { env: { TORYO_MARK: undefined } })).toMatchObject({ code: 0 })
  const refused = await toryo.run(['task', 'list'], { env: inAnother })
  expect(refused).toMatchObject({ code: 4, err: expect.stringContaining('another hub') })
})

test('one in the background, too, though it has let go of who started it', async () => {
  await using toryo = new Toryo()
  expect(await toryo.run(['task', 'list'], { env: inTab })).toMatchObject({ code: 0 })
  expect(await toryo.run(['task', 'list'], { env: inTab })).toMatchObject({ code: 0 })
  expect(await toryo.run(['task', 'list'])).toMatchObject({ code: 0 })
  expect((await toryo.run(['task', 'list'], { env: inAnother })).err).toContain('another hub')
})
