import { expect, test } from 'vitest'
import { until } from '#test/until.ts'
import { FanOut, type Snapshot, type Viewer } from './fan-out.ts'

class RecordingViewer implements Viewer {
  readonly screens: Snapshot[] = []
  text = ''
  pending = 0

  screen(snapshot: Snapshot): void {
    this.screens.push(snapshot)
    this.text += Buffer.from(snapshot.data).toString()
  }

  output(bytes: Uint8Array): void {
    this.text += Buffer.from(bytes).toString()
  }

  resized(): void {}

  ended(): void {
    this.text += '<ended>'
  }
}

const picture = { cols: 80, rows: 24, title: '', data: Buffer.from('abcdefgh'), position: 8 }

test.each(['before', 'after'])('what the picture shows is not given again when it comes %s the picture', async when => {
  let taken = () => {}
  const ready = new Promise<void>(resolve => (taken = resolve))
  const viewers = new FanOut(() => ready.then(() => picture))
  const viewer = new RecordingViewer()
  viewers.add(viewer)
  if (when === 'before') viewers.output(4, Buffer.from('efghij'))
  taken()
  await until(() => viewer.screens.length === 1)
  if (when === 'after') viewers.output(4, Buffer.from('efghij'))
  viewers.output(10, Buffer.from('k'))
  expect(viewer.text).toBe('abcdefghijk')
})

test('who is slow gets a fresh screen when they have caught up, and the others all there is', async () => {
  const pictures = [picture, picture, { ...picture, data: Buffer.from('LATER'), position: 3_000_000 }]
  const viewers = new FanOut(async () => pictures.shift() ?? picture)
  const [slow, quick] = [new RecordingViewer(), new RecordingViewer()]
  for (const viewer of [slow, quick]) viewers.add(viewer)
  await until(() => quick.screens.length === 1)
  slow.pending = 2 * 1024 * 1024
  for (let at = 8; at < 3_000_000; at += 1000) viewers.output(at, Buffer.alloc(1000, 'x'))
  expect(quick.text).toHaveLength(8 + 3_000_000)
  expect(slow.text).toBe('abcdefgh')
  slow.pending = 100 * 1024
  viewers.output(3_000_008, Buffer.from('y'))
  expect(slow.text).toBe('abcdefgh')
  slow.pending = 0
  await until(() => slow.screens.length === 2)
  expect(slow.screens[1]).toMatchObject({ resync: true })
  viewers.output(3_000_009, Buffer.from('z'))
  viewers.end({ code: 0, signal: undefined })
  expect(slow.text).toBe('abcdefghLATERz<ended>')
  expect(quick.screens).toHaveLength(1)
  expect(quick.text.endsWith('yz<ended>')).toBe(true)
})

test('who is behind at the end sees the last screen first', async () => {
  const viewers = new FanOut(async () => picture)
  const slow = new RecordingViewer()
  viewers.add(slow)
  await until(() => slow.screens.length === 1)
  slow.pending = 2 * 1024 * 1024
  viewers.output(8, Buffer.from('never seen'))
  viewers.end({ code: 0, signal: undefined })
  await until(() => slow.text.includes('<ended>'))
  expect(slow.text).toBe('abcdefghabcdefgh<ended>')
  expect(viewers.size).toBe(0)
})
