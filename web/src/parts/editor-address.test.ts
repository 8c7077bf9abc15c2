import { expect, test } from 'vitest'
import { editorAddress } from './editor-address.ts'

test('a folder becomes part of an editor address, whatever its name holds', () => {
  expect(editorAddress('vscode://file{path}/', '/home/ann/shop 1')).toBe('vscode://file/home/ann/shop%201/')
  expect(editorAddress('idea://open?file={path}', '/a?b&c#d/$&é')).toBe('idea://open?file=/a%3Fb%26c%23d/%24%26%C3%A9')
  expect(editorAddress('cursor://file{path}/', 'C:\\Users\\ann\\shop')).toBe('cursor://file/C:/Users/ann/shop/')
})
