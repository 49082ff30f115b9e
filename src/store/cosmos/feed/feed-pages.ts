// Pages of change feeds, through the SDK's iterators. An iterator is kept between calls where possible, since a new one has
// to read its container's definition first. After an error it is dropped, and the next call begins at the caller's token.

import { ChangeFeedMode, type ChangeFeedIteratorResponse, type ChangeFeedPullModelIterator, type ChangeFeedStartFrom, type Container } from '@azure/cosmos'
import { StoreUnavailableError } from '../../store-errors.ts'
import type { Item } from '../read-many/items.ts'
import { hasLostRange } from './continuation.ts'

export interface PageRequest {
  /** Of the feed that the iterator is kept for. */
  readonly name: string
  readonly container: Container
  /** Where a new iterator begins: at the token, if there is one. */
  readonly start: () => Promise<ChangeFeedStartFrom> | ChangeFeedStartFrom
  readonly token: string | undefined
  readonly limit: number
  /** How the caller writes tokens, if not as the SDK does. */
  readonly written?: (token: string) => Promise<string>
}

/** Without items only at the end of the feed. */
export interface FeedPage {
  readonly items: readonly Item[]
  readonly token: string
  readonly headers: ChangeFeedIteratorResponse<unknown>['headers']
}

interface KeptIterator {
  readonly iterator: ChangeFeedPullModelIterator<Item>
  /** What callers may continue from: the iterator's token, and at the end of the feed also the token they came with. */
  readonly tokens: readonly (string | undefined)[]
  readonly limit: number
}

export class FeedPages {
  readonly #kept = new Map<string, KeptIterator>()

  async read({ name, container, start, token, limit, written }: PageRequest): Promise<FeedPage> {
    const kept = this.#kept.get(name)
    // Taken out while it is in use: a concurrent call starts an iterator of its own.
    this.#kept.delete(name)
    const iterator = kept?.tokens.includes(token) && kept.limit === limit ? kept.iterator
      : container.items.getChangeFeedIterator<Item>({ changeFeedMode: ChangeFeedMode.LatestVersion, changeFeedStartFrom: await start(), maxItemCount: limit })
    for (;;) {
      const { statusCode, continuationToken, headers, result } = await iterator.readNext()
      if (statusCode !== 200 && statusCode !== 304) throw unavailable(container, statusCode)
      if (hasLostRange(continuationToken)) throw unavailable(container, 410)
      const items = result ?? []
      // A page may be empty although the feed goes on; only 304 is its end.
      if (items.length === 0 && statusCode === 200) continue
      const next = written ? await written(continuationToken) : continuationToken
      this.#kept.set(name, { iterator, tokens: items.length === 0 ? [token, next] : [next], limit })
      return { items, token: next, headers }
    }
  }
}

function unavailable({ id }: Container, status: number): StoreUnavailableError {
  return new StoreUnavailableError(`The change feed of the container "${id}" did not answer (${status}).`)
}
