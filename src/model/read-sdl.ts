// SDL, from files or from text, into one document. Only syntax is looked at here.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GraphQLError, Kind, parse, Source, type DocumentNode } from 'graphql'
import { DeclarationError } from './declaration-error.ts'

const vocabularyFile = join(import.meta.dirname, '../../schema/vocabulary.graphql')

/** The directives in which storage is declared. */
export const vocabulary: DocumentNode = parse(readFileSync(vocabularyFile, 'utf8'))

/** All the SDL below a folder, in the order of the file names. */
export function readSdlFolder(folder: string): DocumentNode {
  let names: string[]
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    throw new DeclarationError([`There is no schema folder ${folder}. Name a folder of .graphql files.`])
  }
  const files = names.filter((name) => name.endsWith('.graphql')).toSorted()
  if (files.length === 0) throw new DeclarationError([`The schema folder ${folder} has no .graphql file in it.`])
  return joined(files.map((name) => readSdl(readFileSync(join(folder, name), 'utf8'), name)))
}

/** One piece of SDL; `name` is what a syntax error is reported in. */
export function readSdl(sdl: string, name = 'schema'): DocumentNode {
  try {
    return parse(new Source(sdl, name))
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    const { line, column } = error.locations?.[0] ?? { line: 0, column: 0 }
    throw new DeclarationError([`${name}:${line}:${column}: ${error.message}`])
  }
}

export function joined(documents: readonly DocumentNode[]): DocumentNode {
  return { kind: Kind.DOCUMENT, definitions: documents.flatMap((document) => document.definitions) }
}
