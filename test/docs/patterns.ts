// The patterns of the modelling guide, as folders that can be served: what is declared, what is stored,
// and the operations that read and write it.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kind, OperationTypeNode, parse, TokenKind, type OperationDefinitionNode } from 'graphql'
import type { DocumentsByType } from '../../src/serve/schema-folder/place-documents.ts'

export const patternsFolder = 'examples/modelling'

export interface Pattern {
  readonly name: string
  readonly folder: string
  /** The first line of the declaration: when to do what. */
  readonly when: string
  readonly advice: string
  /** The declaration without that line. */
  readonly sdl: string
  readonly documents: DocumentsByType
  readonly operations: readonly PatternOperation[]
}

export interface PatternOperation {
  readonly name: string
  readonly file: string
  /** What the comment above it says it does. */
  readonly says: string
  /** The whole file that it is in. */
  readonly text: string
  readonly writes: boolean
}

export function readPatterns(): Pattern[] {
  return readdirSync(patternsFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => readPattern(name)).toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

export function readPattern(name: string): Pattern {
  const folder = join(patternsFolder, name)
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const [, when, advice, sdl] = /^# (.+?): (.+)\.\n\n([\s\S]+)$/.exec(read('schema.graphql')) ?? []
  if (when === undefined || advice === undefined || sdl === undefined) throw new Error(`${folder}/schema.graphql has to begin with a comment: when to do what, with a colon in between.`)
  const operations = ['read.graphql', 'write.graphql'].flatMap((file) => operationsIn(file, read(file)))
  return { name, folder, when, advice, sdl, documents: JSON.parse(read('documents.json')) as DocumentsByType, operations }
}

function operationsIn(file: string, text: string): PatternOperation[] {
  const definitions = parse(text).definitions.filter((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION)
  return definitions.map(({ name, operation, loc }) => {
    const comment = loc!.startToken.prev
    if (comment?.kind !== TokenKind.COMMENT) throw new Error(`${file}: ${name!.value} has no comment that says what it does.`)
    return { name: name!.value, file, says: comment.value.trim().replace(/\.$/, ''), text, writes: operation === OperationTypeNode.MUTATION }
  })
}
