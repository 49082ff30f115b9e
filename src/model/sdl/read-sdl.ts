// Reads SDL, from files or from text, into one document. Only the syntax is checked here.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GraphQLError, Kind, parse, Source, type DocumentNode } from 'graphql'
import { DeclarationError } from './declaration-error.ts'
import { unnamed } from './source-location.ts'

const vocabularyFile = join(import.meta.dirname, '../../../schema/vocabulary.graphql')

/** The directives that declare storage. */
export const vocabulary: DocumentNode = parse(readFileSync(vocabularyFile, 'utf8'))

/** What Quire adds to the SDL of a folder, which `quire codegen` writes into it for editors. */
export const addedSdlFile = 'quire.generated.graphql'

/** All SDL in a folder and its subfolders, in the order of the file names. Files with operations only are skipped. */
export function readSdlFolder(folder: string): DocumentNode {
  const files = readFiles(folder).filter(({ sdl }) => !isOfOperations(sdl))
  if (files.length === 0) throw new DeclarationError([`The schema folder ${folder} has no .graphql file with types. "quire init" writes one to start from.`])
  return joined(files.map(({ sdl }) => sdl))
}

/** The .graphql files in a folder and its subfolders that have nothing but operations. */
export function readOperationFiles(folder: string): { readonly name: string; readonly text: string }[] {
  return readFiles(folder).filter(({ sdl }) => isOfOperations(sdl)).map(({ name, text }) => ({ name, text }))
}

function readFiles(folder: string): { readonly name: string; readonly text: string; readonly sdl: DocumentNode }[] {
  let names: string[]
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    throw new DeclarationError([`The schema folder ${folder} cannot be read. Name a folder of .graphql files.`])
  }
  const problems: string[] = []
  const files = names.filter((name) => name.endsWith('.graphql') && name !== addedSdlFile).toSorted(byNumber).map((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    try {
      return { name, text, sdl: readSdl(text, name) }
    } catch (error) {
      if (!(error instanceof DeclarationError)) throw error
      problems.push(...error.problems)
      return { name, text, sdl: joined([]) }
    }
  })
  if (problems.length > 0) throw new DeclarationError(problems)
  return files
}

function isOfOperations({ definitions }: DocumentNode): boolean {
  return definitions.every(({ kind }) => kind === Kind.OPERATION_DEFINITION || kind === Kind.FRAGMENT_DEFINITION)
}

/** Reads one text of SDL. Problems name it as `name`. */
export function readSdl(sdl: string, name = unnamed): DocumentNode {
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

/** 2 before 10, whatever the language of the machine. */
const { compare: byNumber } = new Intl.Collator('en', { numeric: true })
