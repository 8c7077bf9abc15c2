// A crew that ended well waits to be looked at, once, and only where a person started it.
import { expect } from 'vitest'
import { onBothCrews } from './crews.ts'

onBothCrews('a crew that ended well waits until a person has looked at it', async ({ hub, folder, ended, plan }) => {
  const items = async () => (await hub.api('inbox.list', {})).items
  const run = async (...prompts: string[]) => {
    const tasks = prompts.map(prompt => ({ role: 'worker', prompt }))
    const wish = { description: 'Look at it', mode: 'concurrent' as const, stages: [{ tasks }], directory: folder }
    const { crew, runs } = await hub.api('crew.run', wish)
    await ended(...runs.map(({ run_id }) => run_id))
    return crew.crew_id
  }
  const good = await run('!say one', '!say two')
  expect(await items()).toMatchObject([
    { item_id: `crew_ended:${good}`, kind: 'crew_ended', title: 'Look at it', crew_id: good, quiet: false },
  ])
  await hub.api('inbox.seen', { item_id: `crew_ended:${good}` })
  expect(await items()).toEqual([])

  // One of two failed: that is what waits.
  const bad = await run('!say one', '!fail no luck')
  expect((await items()).map(({ kind, crew_id }) => [kind, crew_id])).toEqual([['run_failed', bad]])
  await hub.api('inbox.seen', { item_id: (await items())[0]?.item_id ?? '' })

  // A person who stops a crew knows of it, and so does one who deletes it.
  const wish = { description: 'x', mode: 'concurrent' as const, directory: folder }
  const { crew, runs } = await hub.api('crew.run', {
    ...wish,
    stages: [{ tasks: [{ role: 'worker', prompt: '!hang' }] }],
  })
  await hub.api('crew.stop', { crew_id: crew.crew_id })
  await ended(...runs.map(({ run_id }) => run_id))
  expect(await items()).toEqual([])
  const { groupId, stages } = await plan([['!say a'], ['!say b']])
  await ended(...stages.flat())
  // What a plan does about a failure is said; side by side there is nothing to do.
  expect((await hub.api('crew.show', { crew_id: groupId })).crew.on_failure).toBe('stop')
  expect((await hub.api('crew.show', { crew_id: crew.crew_id })).crew.on_failure).toBeNull()
  expect(await items()).toMatchObject([{ kind: 'crew_ended', crew_id: groupId }])
  await hub.api('crew.delete', { crew_id: groupId })
  expect(await items()).toEqual([])
})
