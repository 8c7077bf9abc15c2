import { expect, test } from 'vitest'
import { Onlooker } from '#test/terminals.ts'
import { FanOut } from './fan-out.ts'

test.each(['before', 'after'])('what the picture shows is not given again when it comes %s the picture', async when => {
  let taken = () => {}
  const ready = new Promise<void>(resolve => (taken = resolve))
  const picture = { cols: 80, rows: 24, title: '', data: 'abcdefgh', position: 8 }
  const seats = new FanOut(() => ready.then(() => picture))
  const viewer = new Onlooker()
  const added = seats.add(viewer)
  if (when === 'before') seats.output(4, Buffer.from('efghij'))
  taken()
  await added
  if (when === 'after') seats.output(4, Buffer.from('efghij'))
  seats.output(10, Buffer.from('k'))
  expect(viewer.text).toBe('abcdefghijk')
})
