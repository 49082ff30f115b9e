// Profiles the documents of one container, or a sample of them, type by type.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Body } from '../../model/json/json.ts'
import { TooManyRequestsError, type ExistingContainer, type ExistingDatabase } from '../../store/existing/existing-database.ts'
import { TypeProfile } from './type-profile.ts'

export interface ContainerProfile {
  readonly container: ExistingContainer
  readonly types: readonly TypeProfile[]
  /** How many documents were read, and how many there are; undefined if unknown. */
  readonly read: number
  readonly total: number | undefined
  /** Documents that belong to no type: they have no `type` where others have one. */
  readonly untyped: number
}

export interface ProfileOptions {
  /** How many documents of each container are read. */
  readonly sample?: number
  readonly onProgress?: (container: string, read: number, total: number | undefined) => void
  readonly signal?: AbortSignal
}

/** So many documents decide whether `type` tells documents apart. */
const decidingDocuments = 2000
/** With more values, `type` is a property like any other. */
const maxTypes = 32

export async function profileContainer(database: ExistingDatabase, container: ExistingContainer, { sample = Infinity, onProgress, signal }: ProfileOptions): Promise<ContainerProfile> {
  const first: Body[] = []
  let types: Types | undefined
  let read = 0
  let ended = true
  try {
    for await (const page of database.pages(container.name, sample)) {
      read += page.length
      if (types) for (const document of page) types.add(document)
      else first.push(...page)
      if (!types && first.length >= decidingDocuments) types = typesOf(container, first)
      onProgress?.(container.name, read, container.documents)
      await nextTurn()
      signal?.throwIfAborted()
    }
  } catch (error) {
    // What was read until then is a sample, too.
    if (!(error instanceof TooManyRequestsError)) throw error
    ended = false
  }
  types ??= typesOf(container, first)
  const total = ended && read < sample ? read : container.documents
  return { container, types: [...types.all.values()], read, total, untyped: types.untyped }
}

class Types {
  readonly all = new Map<string | undefined, TypeProfile>()
  untyped = 0
  readonly #container: ExistingContainer
  readonly #isTyped: boolean

  constructor(container: ExistingContainer, typed: boolean) {
    this.#container = container
    this.#isTyped = typed
  }

  add(document: Body): void {
    const { type } = document
    if (this.#isTyped && (typeof type !== 'string' || (!this.all.has(type) && this.all.size === maxTypes))) this.untyped++
    else {
      const key = this.#isTyped ? (type as string) : undefined
      const known = this.all.get(key) ?? new TypeProfile(this.#container, key)
      this.all.set(key, known)
      known.add(document)
    }
  }
}

function typesOf(container: ExistingContainer, first: readonly Body[]): Types {
  const types = new Types(container, isTyped(first))
  for (const document of first) types.add(document)
  return types
}

/** If all documents have one type, it is theirs. Several types must differ in more than that, or `type` is only a property. */
function isTyped(documents: readonly Body[]): boolean {
  const typed = Map.groupBy(documents.filter(({ type }) => typeof type === 'string'), ({ type }) => type as string)
  const known = [...typed.values()].reduce((sum, each) => sum + each.length, 0)
  if (typed.size === 0 || typed.size > maxTypes || known < documents.length / 2) return false
  if (typed.size === 1) return known === documents.length
  return new Set([...typed.values()].map(usualProperties)).size > 1
}

/** The properties that more than half of the documents have. */
function usualProperties(documents: readonly Body[]): string {
  const counts = new Map<string, number>()
  for (const document of documents) for (const name of Object.keys(document)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return JSON.stringify([...counts].filter(([, count]) => count > documents.length / 2).map(([name]) => name).toSorted())
}
