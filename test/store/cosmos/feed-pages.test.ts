// Answers of the change feed that the protocol server does not give: the SDK's responses are written down here instead.

import { ChangeFeedStartFrom, type Container } from '@azure/cosmos'
import { expect, test } from 'vitest'
import { FeedPages } from '../../../src/store/cosmos/feed/feed-pages.ts'

const token = (...ranges: readonly (string | undefined)[]): string =>
  JSON.stringify({ rid: 'r', Continuation: ranges.map((continuationToken, index) => ({ minInclusive: String(index), maxExclusive: String(index + 1), continuationToken })) })

interface Response {
  readonly statusCode: number
  readonly result: readonly { readonly id: string }[]
  readonly continuationToken: string
}

/** A container whose iterators return these responses one after the other, and how many iterators were made. */
function answering(...responses: readonly Response[]): { container: Container; made: () => number } {
  let [made, next] = [0, 0]
  const items = { getChangeFeedIterator: () => (made++, { readNext: async () => ({ headers: {}, ...responses[next++] }) }) }
  return { container: { id: 'songs', items } as unknown as Container, made: () => made }
}

const start = ChangeFeedStartFrom.Beginning()
const request = { name: 'songs', start: () => start, token: undefined, limit: 10 }

test('an empty page is not the end of the feed', async () => {
  const { container } = answering(
    { statusCode: 200, result: [], continuationToken: token('1') },
    { statusCode: 200, result: [{ id: 's1' }], continuationToken: token('2') },
  )
  expect(await new FeedPages().read({ ...request, container })).toMatchObject({ items: [{ id: 's1' }], token: token('2') })
})

test('a range that the SDK would read from its beginning again is an error, and the next read begins at the token before', async () => {
  const { container, made } = answering(
    { statusCode: 200, result: [{ id: 's1' }], continuationToken: token('1', '1') },
    { statusCode: 200, result: [{ id: 's2' }], continuationToken: token('2', undefined) },
    { statusCode: 200, result: [{ id: 's2' }], continuationToken: token('2', '1') },
  )
  const pages = new FeedPages()
  const first = await pages.read({ ...request, container })
  await expect(pages.read({ ...request, container, token: first.token })).rejects.toThrow(/"songs".*410/)
  expect(made()).toBe(1)
  expect(await pages.read({ ...request, container, token: first.token })).toMatchObject({ items: [{ id: 's2' }], token: token('2', '1') })
  expect(made()).toBe(2)
})
