// What is known of the documents of one container that have the same `type`, or of all of them where `type` tells nothing apart.

import type { Body, Json } from '../../model/json/json.ts'
import type { ExistingContainer } from '../../store/existing/existing-database.ts'
import { hashOf, LowestHashes } from './distinct-values.ts'
import { ListLengths } from './list-lengths.ts'
import { idFormOf } from './text-formats.ts'
import { ObjectProfile } from './value-profile.ts'

/** Documents that are kept, to be compared with others. Large ones are not, so that memory stays bounded. */
const keptDocuments = 200
const maxKeptLength = 32_768
/** How many properties are compared with how many lists. */
const maxCompared = 20
const maxForms = 8

export class TypeProfile {
  readonly container: ExistingContainer
  /** The value of `type`; undefined where it tells nothing apart. */
  readonly type: string | undefined
  readonly properties = new ObjectProfile(0)
  /** How often a property has the id of its own document. */
  readonly ownIds = new Map<string, number>()
  /** How often a number is the length of a list of the same document, by the names of both. */
  readonly lengthsEqual = new Map<string, Map<string, number>>()
  /** How large documents are as JSON, in bytes. */
  readonly bytes = new ListLengths()
  /** The property that takes most of the largest document, and its part of it: what makes documents of this type grow. */
  largest: { readonly property: string; readonly share: number } | undefined
  /** Documents without a text as id: nothing can point at them. */
  withoutId = 0
  readonly #examples = new LowestHashes<Body>(keptDocuments)
  readonly #idForms = new Set<string>()

  constructor(container: ExistingContainer, type: string | undefined) {
    this.container = container
    this.type = type
  }

  get documents(): number {
    return this.properties.objects
  }

  /** For messages: `orders`, or `orders (type "order")`. */
  get name(): string {
    return this.type === undefined ? this.container.name : `${this.container.name} (type ${JSON.stringify(this.type)})`
  }

  add(document: Body): void {
    this.properties.add(document)
    const text = JSON.stringify(document)
    this.#measure(document, Buffer.byteLength(text))
    const { id } = document
    if (typeof id === 'string') {
      if (this.#idForms.size < maxForms) this.#idForms.add(idFormOf(id))
      const hash = hashOf(id)
      if (this.#examples.wants(hash) && text.length <= maxKeptLength) this.#examples.add(hash, document)
      for (const [name, value] of Object.entries(document)) if (value === id && name !== 'id') count(this.ownIds, name)
    } else this.withoutId++
    this.#compareLengths(document)
  }

  /** Documents of the type, chosen by chance; the same ones in every run. */
  examples(max: number): Body[] {
    return this.#examples.values(max)
  }

  /** Whether ids of documents of this type have that form. If they have many forms, any is possible. */
  hasIdsLike(form: string): boolean {
    return this.#idForms.size === maxForms || this.#idForms.has(form)
  }

  #measure(document: Body, bytes: number): void {
    if (bytes > this.bytes.max) {
      const sizes = Object.entries(document).map(([property, value]) => ({ property, share: Buffer.byteLength(JSON.stringify(value) ?? '') / bytes }))
      this.largest = sizes.reduce<TypeProfile['largest']>((most, each) => (most && most.share >= each.share ? most : each), undefined)
    }
    this.bytes.add(bytes)
  }

  #compareLengths(document: Body): void {
    const lists = Object.entries(document).filter((entry): entry is [string, readonly Json[]] => Array.isArray(entry[1])).slice(0, maxCompared)
    if (lists.length === 0) return
    for (const [name, value] of Object.entries(document)) {
      if (typeof value !== 'number' || (!this.lengthsEqual.has(name) && this.lengthsEqual.size === maxCompared)) continue
      const equal = this.lengthsEqual.get(name) ?? new Map<string, number>()
      this.lengthsEqual.set(name, equal)
      for (const [list, elements] of lists) if (elements.length === value) count(equal, list)
    }
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
