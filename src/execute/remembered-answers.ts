// Answers that are still true. An answer follows from its plan, its variables and the documents it was made of: as long as
// nothing was written to the containers that it was read from, the same answer would come out again. A store that sees
// every write tells whether that is so, and is asked before each answer, so a remembered answer is never out of date. On
// other stores nothing is remembered.
//
// All viewers whom the rules treat alike share a plan and its answers, except for an answer with documents that only their
// owner may see: that is kept for this viewer alone.
//
// Long answers are kept as the bytes that are sent. Short ones stay text, which node:http sends in one piece with the
// headers.

import { LRUCache } from 'lru-cache'
import type { PlanNode } from '../plan/plan.ts'
import type { Reads } from '../read/reads.ts'
import type { Store } from '../store/store.ts'
import type { PreparedQuery } from './operation-cache.ts'

/** A whole answer: text, or the bytes of it. */
export type AnswerBody = string | Buffer

export interface Answer {
  readonly body: AnswerBody
  /** The rows of each relation, where they were counted. */
  readonly counts: ReadonlyMap<PlanNode, number> | undefined
}

interface RememberedAnswer extends Answer {
  readonly containers: readonly string[]
  readonly version: number
}

export class Answers {
  readonly #store: Store
  readonly #remembered: LRUCache<string, RememberedAnswer> | undefined

  constructor(store: Store, bytes: number) {
    this.#store = store
    // No answer takes more than a part, so that a few large ones leave room for others.
    this.#remembered = bytes === 0 ? undefined : new LRUCache({ maxSize: bytes, maxEntrySize: Math.ceil(bytes / 8), sizeCalculation: ({ body }, key) => 500 + 2 * key.length + (typeof body === 'string' ? 2 : 1) * body.length })
  }

  get bytes(): number {
    return this.#remembered?.calculatedSize ?? 0
  }

  /** The version of the whole store; undefined when nothing can be remembered. To be asked before the first read of an answer. */
  version(): number | undefined {
    return this.#remembered && this.#store.version()
  }

  /** The answer, if it is still true; `counted` if the rows of its relations are wanted, too. */
  find(prepared: PreparedQuery, counted: boolean): Answer | undefined {
    const key = this.#remembered && keyOf(prepared)
    if (key === undefined) return undefined
    return this.#at(key, counted) ?? (prepared.viewer === undefined ? undefined : this.#at(viewerKey(key, prepared), counted))
  }

  /** Keeps an answer, unless something was written while it was made: then it may mix two versions. */
  keep(prepared: PreparedQuery, text: string, counts: Answer['counts'], reads: Pick<Reads, 'containers' | 'hasReadOwnDocuments'>, since: number | undefined): void {
    // The schema's own resolvers may answer from anything.
    const key = since === undefined || prepared.planned.custom ? undefined : keyOf(prepared)
    if (key === undefined) return
    const containers = [...reads.containers]
    // Before the check: a version that is asked for after it may include a write that the answer does not show.
    const version = this.#store.version(containers)!
    if (this.#store.version() === since) this.#remembered!.set(reads.hasReadOwnDocuments ? viewerKey(key, prepared) : key, { body: bodyOf(text), counts, containers, version })
  }

  #at(key: string, counted: boolean): Answer | undefined {
    const known = this.#remembered?.get(key)
    if (!known || (counted && !known.counts)) return undefined
    if (this.#store.version(known.containers) === known.version) return known
    this.#remembered!.delete(key)
    return undefined
  }
}

function bodyOf(text: string): AnswerBody {
  if (text.length < minBytesLength) return text
  // Not from the pool of small buffers: each would keep the whole pool alive.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** From about this length on, bytes are faster to send than text. */
const minBytesLength = 5000

/** Made once: an answer is looked up before it is made, and kept afterwards. */
function keyOf(prepared: PreparedQuery): string | undefined {
  prepared.answerKey ??= { key: makeKey(prepared) }
  return prepared.answerKey.key
}

/** Plan, tenant and variables as the request gives them. Undefined for long variables, which hardly come twice, and for a plan that does not. */
function makeKey({ planned: { number: plan }, given, tenant }: PreparedQuery): string | undefined {
  if (plan === undefined) return undefined
  if (tenant !== undefined) return unlessLong(JSON.stringify([tenant, plan, given]))
  let none = true
  for (const _ in given) none = false
  if (none) return String(plan)
  return unlessLong(`${plan} ${JSON.stringify(given)}`)
}

function unlessLong(key: string): string | undefined {
  return key.length > 2000 ? undefined : key
}

/** JSON contains no NUL, so no shared key is equal to a viewer's. */
function viewerKey(key: string, { viewer = '' }: PreparedQuery): string {
  return `${key}\0${viewer}`
}
