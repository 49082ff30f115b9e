// Trusted documents (persisted operations), collected when the clients were built. If there are any, only they run: a
// request names one by its id or sends its exact text, and everything else is refused before it is parsed.

import { createHash } from 'node:crypto'
import { GraphQLError, Kind, specifiedRules, validate, type DocumentNode, type GraphQLSchema } from 'graphql'
import { httpError } from '../../graphql-errors.ts'
import type { Limits } from './request-limits.ts'
import { NoIntrospectionRule } from './introspection.ts'
import { parseWithin } from './parse-within.ts'
import { isObject } from '../../model/json/json.ts'

/**
 * Documents by their ids: `{ "<sha256 of the text>": "query …" }`. A hash may begin with `sha256:`.
 *
 * @example
 * ```ts
 * const trustedDocuments: DocumentsById = JSON.parse(readFileSync('trusted.json', 'utf8'))
 * ```
 */
export type DocumentsById = Readonly<Record<string, string>>

/** The parts of a request that name its document. */
export interface DocumentReference {
  readonly query?: unknown
  readonly documentId?: unknown
  readonly extensions?: unknown
}

export class TrustedDocuments {
  readonly #texts: ReadonlyMap<string, string>
  readonly #all: ReadonlySet<string>

  constructor(documents: DocumentsById) {
    this.#texts = new Map(Object.entries(documents).map(([id, text]) => [withoutPrefix(id), text]))
    this.#all = new Set(Object.values(documents))
  }

  /** The text of the document; undefined if it is not trusted, or if the text sent is not the one that the id names. */
  textOf({ query, documentId, extensions }: DocumentReference): string | undefined {
    const id = documentId ?? hashIn(extensions)
    const given = query ?? undefined
    if (id === undefined) return typeof given === 'string' && this.#all.has(given) ? given : undefined
    const text = typeof id === 'string' ? this.#texts.get(withoutPrefix(id)) : undefined
    return given === undefined || given === text ? text : undefined
  }
}

/** The algorithm may stand before a hash, in the file as well as in a request. */
function withoutPrefix(id: string): string {
  return id.startsWith(prefix) ? id.slice(prefix.length) : id
}

const prefix = 'sha256:'

/** Where clients with automatic persisted queries put the hash. */
function hashIn(extensions: unknown): unknown {
  const persisted = isObject(extensions) ? extensions['persistedQuery'] : undefined
  return isObject(persisted) ? persisted['sha256Hash'] : undefined
}

export function untrustedDocument(): GraphQLError {
  return httpError('UNTRUSTED_DOCUMENT', 'Untrusted document: this gateway runs only its trusted documents, and this is not one of them. Add it to the file of trusted documents.')
}

/** A message for each document that could not run: its id, place and problem. */
export function checkTrustedDocuments(documents: DocumentsById, schema: GraphQLSchema, limits: Limits, introspection: boolean): string[] {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoIntrospectionRule]
  return Object.entries(documents).flatMap(([id, text]) => {
    const claimed = withoutPrefix(id)
    if ((claimed !== id || /^[0-9a-f]{64}$/.test(id)) && createHash('sha256').update(text).digest('hex') !== claimed) return [`${id}: the id is a sha256, but not of this text. Generate the file again.`]
    try {
      const document = parseWithin(text, limits)
      const title = `${id}${namesIn(document)}`
      if (!document.definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION)) return [`${title}: it has no operation, only fragments.`]
      return validate(schema, document, rules).map((error) => `${title}${placeOf(error)}: ${error.message}`)
    } catch (error) {
      if (error instanceof GraphQLError) return [`${id}${placeOf(error)}: ${error.message}`]
      throw error
    }
  })
}

function namesIn({ definitions }: DocumentNode): string {
  const names = definitions.flatMap((node) => (node.kind === Kind.OPERATION_DEFINITION && node.name ? [node.name.value] : []))
  return names.length === 0 ? '' : ` (${names.join(', ')})`
}

function placeOf({ locations }: GraphQLError): string {
  const [at] = locations ?? []
  return at ? `, line ${at.line}, column ${at.column}` : ''
}
