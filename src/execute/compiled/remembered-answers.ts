// Answers that are still true. An answer follows from its plan, its variables and the documents it was made of,
// so as long as nothing has been written to the containers that were read for it, making it again would make the
// same. Stores that see every write say whether that is so, and it is asked before each answer: nothing here is
// ever out of date, not by a moment. Where a store cannot say, nothing is remembered.
//
// A plan is for all viewers whom the rules treat alike, and so is an answer, unless something was read for it that is
// there for its owner alone. Then it is given again to that viewer and to nobody else.
//
// Long answers are kept as the bytes that are sent, which then need not be made of text each time. Short ones stay text:
// node:http sends that in one piece with the headers.

import { LRUCache } from 'lru-cache'
import type { Reads } from '../../read/reads.ts'
import type { PlanNode } from '../../plan/plan.ts'
import type { Store } from '../../store/store.ts'
import type { Prepared } from './compiled-runner.ts'

/** The whole of it, as text or as the bytes of that. */
export type AnswerBody = string | Buffer

export interface Answer {
  readonly body: AnswerBody
  /** How many rows of each relation it took, where that was counted. */
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
    // Of one answer never more than a part, so that a few large ones leave room for the others.
    this.#remembered = bytes === 0 ? undefined : new LRUCache({ maxSize: bytes, maxEntrySize: Math.ceil(bytes / 8), sizeCalculation: ({ body }, name) => 500 + 2 * name.length + (typeof body === 'string' ? 2 : 1) * body.length })
  }

  get bytes(): number {
    return this.#remembered?.calculatedSize ?? 0
  }

  /** What has been written so far; undefined when nothing can be remembered. To be asked before the first read of an answer. */
  moment(): number | undefined {
    return this.#remembered && this.#store.version()
  }

  /** The answer, if it is known and still true. */
  find(prepared: Prepared, counted: boolean): Answer | undefined {
    const name = this.#remembered && nameOf(prepared)
    if (name === undefined) return undefined
    return this.#at(name, counted) ?? (prepared.viewer === undefined ? undefined : this.#at(ownName(name, prepared), counted))
  }

  /** Unless something was written while it was being made: then it may be of neither moment. */
  keep(prepared: Prepared, text: string, counts: Answer['counts'], reads: Pick<Reads, 'containers' | 'areOwn'>, since: number | undefined): void {
    // What resolvers of others answer may follow from anything.
    if (since === undefined || prepared.planned.custom || this.#store.version() !== since) return
    const name = nameOf(prepared)
    const containers = [...reads.containers]
    if (name !== undefined) this.#remembered!.set(reads.areOwn ? ownName(name, prepared) : name, { body: bodyOf(text), counts, containers, version: this.#store.version(containers)! })
  }

  #at(name: string, counted: boolean): Answer | undefined {
    const known = this.#remembered?.get(name)
    if (!known || (counted && !known.counts)) return undefined
    if (this.#store.version(known.containers) === known.version) return known
    this.#remembered!.delete(name)
    return undefined
  }
}

function bodyOf(text: string): AnswerBody {
  if (text.length < longFrom) return text
  // Not from the pool that small buffers share, all of which each of them would keep.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** From about here on bytes are quicker to send. */
const longFrom = 5000

/** It is looked for before it is made, and kept after that. */
function nameOf(prepared: Prepared): string | undefined {
  prepared.answerName ??= { name: nameFor(prepared) }
  return prepared.answerName.name
}

/** By the variables as they came, and whose it is. Few are long, and those hardly come twice. */
function nameFor({ planned: { number: plan }, given, tenant }: Prepared): string | undefined {
  if (tenant !== undefined) return nameOfText(JSON.stringify([tenant, plan, given]))
  let none = true
  for (const _ in given) none = false
  if (none) return String(plan)
  return nameOfText(`${plan} ${JSON.stringify(given)}`)
}

function nameOfText(text: string): string | undefined {
  return text.length > 2000 ? undefined : text
}

/** No JSON has a NUL in it, so no name of everyone's is one of somebody's. */
function ownName(name: string, { viewer = '' }: Prepared): string {
  return `${name}\0${viewer}`
}
