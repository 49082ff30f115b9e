import { afterEach, expect, test, vi } from 'vitest'
import { newId } from '../../../src/model/keys/new-id.ts'

afterEach(() => void vi.useRealTimers())

test('new ids are UUIDs of version 7, each greater than the one before', () => {
  const ids = Array.from({ length: 20_000 }, newId)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a new id contains the time, and the next is greater even if the clock goes back', () => {
  vi.useFakeTimers({ now: new Date('2100-01-02T03:04:05.678Z') })
  const first = newId()
  expect(Number.parseInt(first.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.parse('2100-01-02T03:04:05.678Z'))
  vi.setSystemTime(new Date('2099-01-01'))
  expect(newId() > first).toBe(true)
})
