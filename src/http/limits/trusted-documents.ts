// Documents that were agreed on when a client was built. Where there are any, nothing else runs: a request names one
// by its id, or brings its very text, and whatever else it brings is refused before it is parsed.

import { createHash } from 'node:crypto'
import { GraphQLError, Kind, specifiedRules, validate, type DocumentNode, type GraphQLSchema } from 'graphql'
import { httpError } from '../../errors.ts'
import type { Limits } from './limits.ts'
import { NoIntrospectionRule } from './no-introspection.ts'
import { parseWithin } from './parse-within.ts'
import { isObject } from '../../model/json/json.ts'

/** Documents by their ids: `{ "<sha256 of the text>": "query …" }`. */
export type DocumentsById = Readonly<Record<string, string>>

/** As much of a request as says which document it wants. */
export interface Wanted {
  readonly query?: unknown
  readonly documentId?: unknown
  readonly extensions?: unknown
}

export class TrustedDocuments {
  readonly #texts: ReadonlyMap<string, string>
  readonly #all: ReadonlySet<string>

  constructor(documents: DocumentsById) {
    this.#texts = new Map(Object.entries(documents))
    this.#all = new Set(Object.values(documents))
  }

  /** The text of the document that a request wants; undefined when it is none of ours, or not the one that the id names. */
  textOf({ query, documentId, extensions }: Wanted): string | undefined {
    const id = documentId ?? hashIn(extensions)
    const given = query ?? undefined
    if (id === undefined) return typeof given === 'string' && this.#all.has(given) ? given : undefined
    const text = typeof id === 'string' ? this.#texts.get(id.startsWith(prefix) ? id.slice(prefix.length) : id) : undefined
    return given === undefined || given === text ? text : undefined
  }
}

/** As ids of documents are written where several kinds of them are in use. */
const prefix = 'sha256:'

/** Where clients of automatically persisted queries put it. */
function hashIn(extensions: unknown): unknown {
  const persisted = isObject(extensions) ? extensions['persistedQuery'] : undefined
  return isObject(persisted) ? persisted['sha256Hash'] : undefined
}


export function untrusted(): GraphQLError {
  return httpError('UNTRUSTED_DOCUMENT', 'This gateway runs trusted documents only, and this is not one of them. Add it to the trusted documents.')
}

/** What is wrong with documents, as sentences that say which. */
export function mistakesIn(documents: DocumentsById, schema: GraphQLSchema, limits: Limits, introspection: boolean): string[] {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoIntrospectionRule]
  return Object.entries(documents).flatMap(([id, text]) => {
    if (/^[0-9a-f]{64}$/.test(id) && createHash('sha256').update(text).digest('hex') !== id) return [`${id}: this is the sha256 of another text. Make the file anew.`]
    try {
      const document = parseWithin(text, limits)
      const called = `${id}${namesIn(document)}`
      if (!document.definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION)) return [`${called}: there is no operation in it, only fragments.`]
      return validate(schema, document, rules).map((error) => `${called}${placeOf(error)}: ${error.message}`)
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
