// The files that `quire init` writes, from the templates in examples/init: a schema with the chosen names, a config file,
// and operations to try. A schema that Quire could not serve is never written.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildASTSchema } from 'graphql'
import { ConfigError } from '../../errors.ts'
import { configFileName } from '../../config/config-file.ts'
import { readDeclaration } from '../../relations/declaration.ts'
import { pluralOf } from '../../model/api/plurals.ts'
import { DeclarationError } from '../../model/sdl/declaration-error.ts'

/** The answers to all questions. */
export interface Plan {
  /** The referring type, and the type it refers to. */
  readonly types: readonly [string, string]
  readonly relation: string
  readonly store: string
  /** The Azure account, if the store is cosmos. */
  readonly endpoint?: string | undefined
  readonly port: number
}

/** A way to store the relation, explained with the chosen type names. */
export interface Choice {
  readonly relation: string
  readonly explained: string
}

const templates = join(import.meta.dirname, '../../../examples/init')
const operations = 'first-steps.graphql'

export function relationChoices(types: Plan['types']): Choice[] {
  const files = readdirSync(templates).filter((file) => file.endsWith('.graphql') && file !== operations).toSorted()
  return files.map((file) => ({ relation: basename(file, '.graphql'), explained: renamed(/^# (.*)$/m.exec(template(file))![1]!, types) }))
}

/** The text of each file by its path in the folder. */
export function filesFor({ types, relation, store, endpoint, port }: Plan): Map<string, string> {
  const schema = renamed(template(`${relation}.graphql`).replace(/^#.*\n\n/, ''), types)
  checkServable(schema, types)
  const config = { schema: 'schema', store, ...(endpoint === undefined ? {} : { cosmosEndpoint: endpoint }), port }
  return new Map([
    [join('schema', 'schema.graphql'), schema],
    [configFileName, `${JSON.stringify(config, undefined, 2)}\n`],
    [join('schema', 'operations', operations), renamed(template(operations), types)],
  ])
}

function template(file: string): string {
  return readFileSync(join(templates, file), 'utf8')
}

/** Replaces article and writer, which the templates use in singular and plural, in lower and upper case. */
function renamed(text: string, [first, second]: Plan['types']): string {
  return text.replace(/(article|writer)(s\b)?/gi, (word: string, of: string, several?: string) => {
    const name = of.toLowerCase() === 'article' ? first : second
    const form = several === undefined ? name : pluralOf(name)
    return (/^[A-Z]/.test(word) ? form.charAt(0).toUpperCase() : form.charAt(0).toLowerCase()) + form.slice(1)
  })
}

function checkServable(schema: string, types: Plan['types']): void {
  try {
    buildASTSchema(readDeclaration(schema).sdl)
  } catch (error) {
    const [problem] = error instanceof DeclarationError ? error.problems : (error as Error).message.split('\n')
    throw new ConfigError(`Cannot write a schema with the types ${types.join(' and ')}: ${problem} Choose other names.`, { cause: error })
  }
}
