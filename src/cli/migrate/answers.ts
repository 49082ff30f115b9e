// What the command line and the file migrate.ts of the schema folder say about a migration.

import { ConfigError } from '../../errors.ts'
import type { Answers, Default } from '../../evolve/migrate/transform/matched-models.ts'
import type { Json } from '../../model/json/json.ts'
import type { Derive } from '../../relations/kind.ts'
import { exportError, loadExport } from '../../serve/schema-folder/load-export.ts'

export interface GivenAnswers {
  readonly renamed?: readonly string[]
  readonly dropped?: readonly string[]
  readonly default?: readonly string[]
}

/** A default of the command line comes before a function. */
export async function readAnswers({ renamed = [], dropped = [], default: defaults = [] }: GivenAnswers, schemaFolder: string): Promise<Answers> {
  const written = defaults.map((each) => pairOf('--default', each)).map(([at, text]): [string, Default] => [at, valueOf(text)])
  return { renamed: new Map(renamed.map((each) => pairOf('--renamed', each))), dropped: new Set(dropped), defaults: new Map([...(await functionsIn(schemaFolder)), ...written]) }
}

/** `export const migrate = { Post: { words: (post) => … } }`: values for documents that lack a field, by type and field. */
async function functionsIn(schemaFolder: string): Promise<[string, Default][]> {
  const loaded = await loadExport<Derive>(schemaFolder, 'migrate')
  if (!loaded) return []
  const { value, file } = loaded
  return Object.entries(value).flatMap(([type, fields]) => Object.entries(fields ?? {}).map(([field, fill]): [string, Default] => {
    if (typeof fill !== 'function') throw new ConfigError(`${file}: ${type}.${field} is not a function. Write ${field}: (document) => ….`)
    return [`${type}.${field}`, (document) => {
      try {
        return fill(document)
      } catch (error) {
        throw exportError(file, error)
      }
    }]
  }))
}

function pairOf(option: string, given: string): [at: string, value: string] {
  const [, at, value] = /^(\w+\.\w+)=(.*)$/s.exec(given) ?? []
  if (at === undefined || value === undefined) throw new ConfigError(`${option} is ${JSON.stringify(given)}. Write Type.field=${option === '--renamed' ? 'new' : 'VALUE'}.`)
  return [at, value]
}

/** JSON, or plain text. */
function valueOf(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
