// The prepared statements of a connection. Clients choose their shapes, so both their number and their length
// are limited.

import { expect, onTestFinished, test, vi } from 'vitest'
import { SqliteConnection } from '../../../src/store/sqlite/connection.ts'

function open() {
  const connection = new SqliteConnection(':memory:', { readOnly: false, pageCacheMb: 1 })
  onTestFinished(() => connection.close())
  const prepare = vi.spyOn(connection.database, 'prepare')
  return { ask: (text: string) => connection.all({ text, values: [] }), prepared: () => prepare.mock.calls.length }
}

const long = `SELECT ${Array.from({ length: 900 }, (_, at) => `${at} + 1000`).join(', ')}`

test('a repeated statement is prepared once', () => {
  const { ask, prepared } = open()
  for (let time = 0; time < 3; time++) expect(ask('SELECT 1')).toEqual([[1]])
  expect(prepared()).toBe(1)
})

test('a very long statement runs and is not kept', () => {
  const { ask, prepared } = open()
  for (let time = 0; time < 3; time++) expect(ask(long)[0]).toHaveLength(900)
  expect(prepared()).toBe(3)
})

test('the least recently used statement is dropped', () => {
  const { ask, prepared } = open()
  for (let value = 0; value <= 256; value++) ask(`SELECT ${value}`)
  expect(prepared()).toBe(257)
  ask('SELECT 256')
  expect(prepared()).toBe(257)
  ask('SELECT 0')
  expect(prepared()).toBe(258)
})
