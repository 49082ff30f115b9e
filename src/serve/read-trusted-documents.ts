// Reads a file of trusted documents: a map from ids to operations, as code generators and the Relay compiler write it, or
// Apollo's operation manifest.

import { ConfigError } from '../errors.ts'
import { isObject } from '../model/json/json.ts'
import type { DocumentsById } from '../http/limits/trusted-documents.ts'
import { jsonError } from '../model/json/json-error.ts'
import { readTextFile } from '../model/json/json-file.ts'

export function readTrustedDocuments(file: string): DocumentsById {
  const unusable = (why: string): ConfigError => new ConfigError(`The trusted documents in ${file} cannot be used: ${why}`)
  const entries = entriesOf(parsed(file, unusable), unusable)
  if (entries.length === 0) throw unusable('the file has none, so no operation could run.')
  const documents = new Map<string, string>()
  for (const [id, text] of entries) {
    if (typeof text !== 'string' || text.trim() === '') throw unusable(`"${id.slice(0, 80)}" has no text. Give an operation as a string.`)
    if (documents.has(id)) throw unusable(`the id "${id.slice(0, 80)}" occurs twice.`)
    documents.set(id, text)
  }
  return Object.fromEntries(documents)
}

type Unusable = (why: string) => ConfigError

function parsed(file: string, unusable: Unusable): unknown {
  let text: string
  try {
    text = readTextFile(file)
  } catch (error) {
    throw new ConfigError(`The trusted documents in ${file} cannot be read: ${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (error as Error).message}.`, { cause: error })
  }
  try {
    const repeated = repeatedName(text)
    const given: unknown = JSON.parse(text)
    if (repeated !== undefined) throw unusable(`the id "${repeated.slice(0, 80)}" occurs twice.`)
    return given
  } catch (error) {
    if (error instanceof SyntaxError) throw unusable(`the file is not JSON: ${jsonError(error)}.`)
    throw error
  }
}

function entriesOf(given: unknown, unusable: Unusable): [string, unknown][] {
  if (!isObject(given)) throw unusable('the file is not a JSON object. Write { "<sha256 of the text>": "query …" }.')
  const { operations } = given
  if (!Array.isArray(operations)) return Object.entries(given)
  return operations.map((operation: unknown): [string, unknown] => {
    if (!isObject(operation) || typeof operation['id'] !== 'string') throw unusable('an operation has no id.')
    return [operation['id'], operation['body']]
  })
}

/** A name that occurs twice in the outermost object. JSON.parse would silently keep the second. */
function repeatedName(text: string): string | undefined {
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
