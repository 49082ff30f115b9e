import { expect, test } from 'vitest'
import { createProgressBar } from '../../src/cli/command/progress-bar.ts'

function terminal(options: { isTTY?: boolean; columns?: number }) {
  const written: string[] = []
  return { written, stream: { ...options, write: (text: string | Uint8Array) => written.push(String(text)) > 0 } }
}

test('says how far, how fast and how long still, on one line that is drawn over', () => {
  const { written, stream } = terminal({ isTTY: true, columns: 100 })
  let nowMs = 0
  const bar = createProgressBar(stream, 'documents', () => nowMs)
  bar.update(0, 90_000)
  nowMs = 50
  bar.update(10, 90_000)
  nowMs = 2000
  bar.update(30_000, 90_000)
  nowMs = 3000
  bar.update(0, 90_000)
  nowMs = 7000
  bar.update(200, 90_000)
  nowMs = 1_003_000
  bar.update(1000, 90_000)
  bar.clear()
  bar.clear()
  expect(written).toEqual([
    '\r░░░░░░░░░░░░░░░░░░░░░░░░ 0 %  0 of 90000 documents\u001B[K',
    '\r████████░░░░░░░░░░░░░░░░ 33 %  30000 of 90000 documents  15000/s  4 s left\u001B[K',
    '\r░░░░░░░░░░░░░░░░░░░░░░░░ 0 %  0 of 90000 documents\u001B[K',
    '\r░░░░░░░░░░░░░░░░░░░░░░░░ 0 %  200 of 90000 documents  50/s  30 min left\u001B[K',
    '\r░░░░░░░░░░░░░░░░░░░░░░░░ 1 %  1000 of 90000 documents  1/s  24 h 44 min left\u001B[K',
    '\r\u001B[K',
  ])
})

test('never takes more than a line', () => {
  const { written, stream } = terminal({ isTTY: true, columns: 20 })
  createProgressBar(stream, 'documents').update(1, 2)
  expect(written[0]!.replace('\r', '').replace('\u001B[K', '')).toHaveLength(19)
})

test('writes nothing where there is no terminal', () => {
  const { written, stream } = terminal({})
  const bar = createProgressBar(stream, 'documents')
  bar.update(1, 2)
  bar.clear()
  expect(written).toEqual([])
})
