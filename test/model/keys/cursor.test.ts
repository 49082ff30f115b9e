// Signed cursors can be read back; anything else is rejected. The tests of pages cover where cursors are used.

import fc from '../../fast-check.ts'
import { describe, expect, test } from 'vitest'
import { createCursors } from '../../../src/model/keys/cursor.ts'
import type { Position } from '../../../src/model/keys/position.ts'

const cursors = createCursors('secret')
const scope = 'Query.posts by title'
const position: Position = { value: 'Dawn', id: 'p1' }
const cursor = cursors.write(scope, position)
const bytes = Buffer.from(cursor, 'base64url')

const runs = { seed: 20_260_809, numRuns: 500 }
const text = fc.string({ unit: 'binary' })

describe('a cursor is read back', () => {
  test.each([
    ['text', 'Dawn'], ['an empty text', ''], ['text of any script', 'Übung "1" \\ 日本 😀'], ['half a character', '\ud83d'], ['the end of a text', '\0'],
    ['a whole number', 7], ['zero', 0], ['a negative number', -7], ['a fraction', 0.1], ['a very large number', 1.7976931348623157e308],
    ['a very small number', 5e-324], ['true', true], ['false', false], ['null', null],
  ])('for %s', (_, value) => {
    expect(cursors.read(scope, cursors.write(scope, { value, id: 'p1' }))).toEqual({ value, id: 'p1' })
  })

  test('for any value, id and scope', () => {
    const value = fc.oneof(text, fc.boolean(), fc.constant(null), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)))
    fc.assert(fc.property(value, text, text, (each, id, anywhere) => {
      expect(cursors.read(anywhere, cursors.write(anywhere, { value: each, id }))).toEqual({ value: each, id })
    }), runs)
  })

  test('with the same secret', () => {
    expect(createCursors('secret').read(scope, cursor)).toEqual(position)
  })

  test('from a URL, without encoding', () => {
    expect(cursor).toMatch(/^[\w-]+$/)
  })
})

describe('a cursor is rejected', () => {
  test('in another list or in another order', () => {
    for (const other of ['Query.posts by title descending', 'Query.posts by id', 'Query.authors by title', '', `${scope} `, `${scope}\0`]) {
      expect(cursors.read(other, cursor), other).toBeUndefined()
    }
  })

  test('when the beginning of its text is moved into the scope', () => {
    const said = JSON.stringify([position.value, position.id])
    const signature = bytes.subarray(0, bytes.length - Buffer.byteLength(said))
    for (let moved = 1; moved < said.length; moved++) {
      const rest = Buffer.concat([signature, Buffer.from(said.slice(moved))]).toString('base64url')
      expect(cursors.read(scope + said.slice(0, moved), rest)).toBeUndefined()
    }
  })

  test('with another secret', () => {
    expect(createCursors('another').read(scope, cursor)).toBeUndefined()
    expect(createCursors('').read(scope, cursor)).toBeUndefined()
  })

  test('with any bit of any byte flipped', () => {
    for (let at = 0; at < bytes.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const flipped = Buffer.from(bytes)
        flipped[at]! ^= 1 << bit
        expect(cursors.read(scope, flipped.toString('base64url')), `byte ${at}, bit ${bit}`).toBeUndefined()
      }
    }
  })

  test('when it is cut short anywhere, at either end', () => {
    for (let length = 0; length < cursor.length; length++) {
      expect(cursors.read(scope, cursor.slice(0, length)), `first ${length}`).toBeUndefined()
      expect(cursors.read(scope, cursor.slice(cursor.length - length)), `last ${length}`).toBeUndefined()
    }
  })

  test('when more bytes follow', () => {
    expect(cursors.read(scope, Buffer.concat([bytes, Buffer.from(' ')]).toString('base64url'))).toBeUndefined()
  })

  test('when it has no signature', () => {
    expect(cursors.read(scope, Buffer.from(JSON.stringify(['Dawn', 'p1'])).toString('base64url'))).toBeUndefined()
    expect(cursors.read(scope, Buffer.from(`${'\0'.repeat(12)}${JSON.stringify(['Dawn', 'p1'])}`).toString('base64url'))).toBeUndefined()
  })
})

test('no character of a cursor can be changed so that it means another position', () => {
  // The last character has bits to spare, so another one may mean the same; nothing may mean something else.
  for (let at = 0; at < cursor.length; at++) {
    for (const character of 'AZaz09-_') {
      const read = cursors.read(scope, cursor.slice(0, at) + character + cursor.slice(at + 1))
      if (read) expect(read).toEqual(position)
    }
  }
})

test('any text is read without an exception', () => {
  fc.assert(fc.property(fc.oneof(text, fc.base64String(), fc.uint8Array().map((any) => Buffer.from(any).toString('base64url'))), (any) => {
    expect(cursors.read(scope, any)).toBeUndefined()
  }), runs)
})

describe('a cached cursor', () => {
  test('stays the same, however many are written after it', () => {
    const remembering = createCursors('secret')
    const all = Array.from({ length: 3000 }, (_, at): Position => ({ value: at, id: `p${at}` }))
    const written = all.map((each) => remembering.write(scope, each))
    for (let round = 0; round < 2; round++) {
      expect(all.map((each) => remembering.write(scope, each))).toEqual(written)
      expect(written.map((each) => remembering.read(scope, each))).toEqual(all)
    }
    expect(createCursors('secret').write(scope, all[7]!)).toBe(written[7])
  })

  test('is rejected for another scope', () => {
    const remembering = createCursors('secret')
    expect(remembering.read(scope, remembering.write(scope, position))).toEqual(position)
    expect(remembering.read(`${scope} descending`, cursor)).toBeUndefined()
    expect(remembering.read(scope.slice(0, -1), `${scope.at(-1)}${cursor}`)).toBeUndefined()
    expect(remembering.read(scope, cursor)).toEqual(position)
  })

  test('that was rejected is rejected again', () => {
    const remembering = createCursors('secret')
    const forged = createCursors('another').write(scope, position)
    for (let round = 0; round < 3; round++) expect(remembering.read(scope, forged)).toBeUndefined()
  })
})
