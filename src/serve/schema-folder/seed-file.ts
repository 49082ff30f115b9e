// `seed.ts` of a schema folder: generated documents, as many as the user asks for, for `quire seed`.

import { ConfigError } from '../../errors.ts'
import { isObject } from '../../model/json/json.ts'
import type { Model } from '../../model/model.ts'
import type { Write } from '../../store/store.ts'
import { createDocumentTools, type DocumentTools } from './document-tools.ts'
import { exportError, loadExport, runExport, type LoadedExport } from './load-export.ts'
import { placeDocuments, type DocumentsByType } from './place-documents.ts'

/**
 * What `seed.ts` exports. The same count has to make the same documents: a run that was stopped can then continue.
 *
 * @example
 * ```ts
 * export const seed: Seed = {
 *   singular: 'post', plural: 'posts', max: 1_000_000,
 *   *batches(count) {
 *     for (let post = 1; post <= count; post++) yield { Post: [{ id: `${count}-p${post}`, title: `Post ${post}` }] }
 *   },
 * }
 * ```
 */
export interface Seed {
  /** What `quire seed <count>` counts, such as `order`. */
  readonly singular: string
  readonly plural: string
  readonly max: number
  /**
   * The documents for a count, a few at a time, so that memory does not limit the count: a generator can yield each
   * document with its buckets. A document that others refer to comes before them.
   */
  readonly batches: (count: number, tools: DocumentTools) => Iterable<DocumentsByType>
  /** How many documents that is, not counting buckets. With it, the progress bar shows how much is left. */
  readonly total?: (count: number) => number
}

export async function readSeedFile(folder: string): Promise<LoadedExport<Seed>> {
  const loaded = await loadExport<Seed>(folder, 'seed')
  if (!loaded) throw new ConfigError(`There is no seed.ts in ${folder}, so "quire seed" does not know what to generate. Write one that exports "seed" with singular, plural, max and batches(count), or fill the store with "quire import".`)
  const { value, file } = loaded
  const isSeed = isObject(value) && typeof value['singular'] === 'string' && typeof value['plural'] === 'string' && typeof value['max'] === 'number' && typeof value['batches'] === 'function'
  if (!isSeed) throw new ConfigError(`${file}: seed is incomplete. It needs singular and plural (strings), max (a number) and batches (a function of the count).`)
  return loaded
}

/** Throws if the text is not a count that this seed accepts. */
export function readSeedCount(text: string, { singular, plural, max }: Seed): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= max) return count
  throw new ConfigError(`The count is "${text}". Give a number of ${max === 1 ? singular : plural} from 1 to ${max}.`)
}

export interface SeedBatch {
  readonly writes: readonly Write[]
  /** How many documents that is, not counting buckets. */
  readonly documents: number
}

/** The writes for a count, at least `size` at a time. */
export function* seedBatches(model: Model, { value: seed, file }: LoadedExport<Seed>, count: number, size: number): Generator<SeedBatch> {
  const made: unknown = runExport(file, () => seed.batches(count, createDocumentTools(model, file)))
  if (!isIterable(made)) throw new ConfigError(`${file}: batches() returned no list and no generator. Write "*batches(count) { yield { Type: [document] } }"; async generators are not supported.`)
  let writes: Write[] = []
  let documents = 0
  for (const some of iterate(file, made)) {
    writes.push(...placeDocuments(model, some, file))
    for (const [name, { length }] of Object.entries(some)) if (model.documents.has(name)) documents += length
    if (writes.length < size) continue
    yield { writes, documents }
    writes = []
    documents = 0
  }
  if (writes.length > 0) yield { writes, documents }
}

function* iterate(file: string, batches: Iterable<DocumentsByType>): Generator<DocumentsByType> {
  try {
    yield* batches
  } catch (error) {
    throw exportError(file, error)
  }
}

function isIterable(value: unknown): value is Iterable<DocumentsByType> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}
