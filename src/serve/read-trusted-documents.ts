// Reads a file of trusted documents: the map of ids to texts that code generators and the Relay compiler write, or
// Apollo's list of operations.

import { readFileSync } from 'node:fs'
import { ConfigError } from '../config.ts'
import { isObject } from '../model/json/json.ts'
import type { DocumentsById } from '../http/limits/trusted-documents.ts'
import { jsonError } from '../model/json/json-error.ts'

export function readTrustedDocuments(file: string): DocumentsById {
  const said = (what: string): ConfigError => new ConfigError(`The trusted documents in ${file} cannot be used: ${what}`)
  const entries = entriesOf(parsed(file, said), said)
  if (entries.length === 0) throw said('there are none, and nothing would run.')
  const documents = new Map<string, string>()
  for (const [id, text] of entries) {
    if (typeof text !== 'string' || text.trim() === '') throw said(`"${id.slice(0, 80)}" has no text. Give an operation as a string.`)
    if (documents.has(id)) throw said(`"${id.slice(0, 80)}" is there twice.`)
    documents.set(id, text)
  }
  return Object.fromEntries(documents)
}

type Said = (what: string) => ConfigError

function parsed(file: string, said: Said): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    throw new ConfigError(`There are no trusted documents in ${file}: ${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (error as Error).message}.`, { cause: error })
  }
  try {
    const twice = namedTwice(text)
    const given: unknown = JSON.parse(text)
    if (twice !== undefined) throw said(`"${twice.slice(0, 80)}" is there twice.`)
    return given
  } catch (error) {
    if (error instanceof SyntaxError) throw said(`it is no JSON: ${jsonError(error)}.`)
    throw error
  }
}

function entriesOf(given: unknown, said: Said): [string, unknown][] {
  if (!isObject(given)) throw said('it holds no object. Write { "<sha256 of the text>": "query …" }.')
  const { operations } = given
  if (!Array.isArray(operations)) return Object.entries(given)
  return operations.map((operation: unknown): [string, unknown] => {
    if (!isObject(operation) || typeof operation['id'] !== 'string') throw said('an operation has no id.')
    return [operation['id'], operation['body']]
  })
}

/** A name that the outermost object has twice. Parsing would take the second one, and not say so. */
function namedTwice(text: string): string | undefined {
  const names = new Set<string>()
  let depth = 0
  for (const [token, string] of text.matchAll(/("(?:[^"\\]|\\.)*")(?=\s*:)|"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (depth === 1 && string !== undefined) {
      if (names.has(string)) return string.slice(1, -1)
      names.add(string)
    }
  }
  return undefined
}
