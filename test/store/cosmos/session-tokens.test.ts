// What a read has to send so that it sees all that this process has written and read.

import { describe, expect, test } from 'vitest'
import { SessionTokens } from '../../../src/store/cosmos/request/session-tokens.ts'

const books = '/dbs/d/colls/books'

function after(...tokens: readonly string[]): string | undefined {
  const sessions = new SessionTokens()
  for (const token of tokens) sessions.observe(`https://account${books}/docs/b1`, token)
  return sessions.of(books)
}

test('before the first answer there is nothing to send', () => {
  expect(after()).toBeUndefined()
})

describe('of one physical partition the furthest token is sent', () => {
  test.each([
    [['0:1#5', '0:1#7'], '0:1#7'],
    [['0:1#7', '0:1#5'], '0:1#7'],
    [['0:1#9', '0:1#10'], '0:1#10'],
    [['0:1#9007199254740993', '0:1#9007199254740992'], '0:1#9007199254740993'],
    // Each region has come as far as any answer says.
    [['0:1#7#1=5#2=9', '0:1#6#1=6#2=3'], '0:1#7#1=6#2=9'],
    // After a change of regions only the newer ones count.
    [['0:1#9#1=9', '0:2#3#2=3'], '0:2#3#2=3'],
    [['0:2#3#2=3', '0:1#9#1=9'], '0:2#3#2=3'],
  ])('%s', (observed, sent) => {
    expect(after(...observed)).toBe(sent)
  })
})

test('of several physical partitions the tokens are sent together, whether they came together or not', () => {
  expect(after('0:1#5', '1:1#2', '0:1#6')).toBe('0:1#6,1:1#2')
  expect(after('0:1#5,1:1#2')).toBe('0:1#5,1:1#2')
})

test('each container has a session of its own, which requests for other things do not change', () => {
  const sessions = new SessionTokens()
  sessions.observe(`https://account${books}/docs`, '0:1#5')
  sessions.observe('https://account-east/dbs/d/colls/docs/docs/x', '0:1#8')
  sessions.observe(`https://account${books}/pkranges`, '0:1#9')
  sessions.observe(`https://account${books}/docs`, undefined)
  expect([sessions.of(books), sessions.of('/dbs/d/colls/docs')]).toEqual(['0:1#5', '0:1#8'])
})
