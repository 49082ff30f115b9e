// The files that `quire init` writes: a project that runs, from the templates in examples/init, with the chosen names, and with
// its generated types. A schema that Quire could not serve is never written.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { pluralOf } from '../../model/api/plurals.ts'
import { DeclarationError } from '../../model/sdl/declaration-error.ts'
import { readSdl } from '../../model/sdl/read-sdl.ts'
import { generatedFiles } from '../codegen/generated-files.ts'

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

/** What package.json says of the project. */
export interface ProjectNames {
  readonly name: string
  /** The version of quire-graphql to depend on, or where it is. */
  readonly quire: string
}

/** A way to store the relation, explained with the chosen type names. */
export interface Choice {
  readonly relation: string
  readonly explained: string
}

const templates = join(import.meta.dirname, '../../../examples/init')
const ending = '.template'

/** Packages cannot hold files of these names. */
const dotted = new Set(['gitignore', 'graphqlrc.yml'])

export function relationChoices(types: Plan['types']): Choice[] {
  return readdirSync(join(templates, 'relations')).toSorted().map((relation) => {
    const schema = readFileSync(join(templates, 'relations', relation, `schema.graphql${ending}`), 'utf8')
    return { relation, explained: renamed(/^# (.*)$/m.exec(schema)![1]!, types) }
  })
}

/** The text of each file by its path in the folder. */
export function filesFor(plan: Plan, names: ProjectNames): Map<string, string> {
  const { store, endpoint, port } = plan
  const values = { ...names, port: String(port), config: configText({ schema: 'schema', store, ...(endpoint === undefined ? {} : { cosmosEndpoint: endpoint }), port }) }
  const own = [...templatesIn('project', ''), ...templatesIn(join('relations', plan.relation), 'schema')]
    // A new database on Azure begins empty: it costs money, and may not be new.
    .filter(([path]) => plan.store !== 'cosmos' || path !== join('schema', 'documents.ts'))
    .map(([path, text]) => [path, plan.store === 'cosmos' ? text.replace(/^.*documents\.ts.*\n/m, '') : text] as const)
    .map(([path, text]) => [path, filled(renamed(text, plan.types).replace(/^#.*\n\n(?=")/, ''), values)] as const)
  const [, schema] = own.find(([path]) => path === join('schema', 'schema.graphql'))!
  const made = [...generated(schema, plan.types)].map(([name, text]) => [join('schema', name), text] as const)
  return new Map([...own, ...made, ...npmSettings(names)].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** The files of a project whose schema was guessed: there are documents already, and no code but what computes fields. */
export function filesFrom({ sdl, derive, operation, settings, port }: GuessedProject, names: ProjectNames): Map<string, string> {
  const values = { ...names, port: String(port), config: configText({ schema: 'schema', ...settings, port }) }
  const schema = new Map([
    [join('schema', 'schema.graphql'), sdl],
    ...(derive === undefined ? [] : [[join('schema', 'derive.ts'), derive] as const]),
    [join('schema', 'operations', 'first-steps.graphql'), operation],
    ...[...generatedFiles(readSdl(sdl))].map(([name, text]) => [join('schema', name), text] as const),
  ])
  const isWritten = (line: string): boolean => [...line.matchAll(/`(schema\/\w+(?:\.\w+)*\.ts)`/g)].every(([, path]) => schema.has(path!) || path!.includes('generated'))
  const own = templatesIn('project', '').filter(([path]) => !path.startsWith('schema')).map(([path, text]) => [path, filled(text.split('\n').filter(isWritten).join('\n'), values)] as const)
  return new Map([...own, ...schema, ...npmSettings(names)].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

export interface GuessedProject {
  readonly sdl: string
  /** The text of derive.ts, if fields are computed. */
  readonly derive: string | undefined
  /** An operation to try. */
  readonly operation: string
  /** Where the documents are. */
  readonly settings: Readonly<Record<string, string>>
  readonly port: number
}

/** npm would link a folder, and Quire would then use another copy of graphql than the project. */
function npmSettings({ quire }: ProjectNames): [path: string, text: string][] {
  return quire.startsWith('file:') && !quire.endsWith('.tgz') ? [['.npmrc', '# Copies quire-graphql instead of linking it, so that there is one graphql.\ninstall-links=true\n']] : []
}

function templatesIn(folder: string, to: string): [path: string, text: string][] {
  return readdirSync(join(templates, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending)).toSorted().map((name) => {
    const path = name.slice(0, -ending.length)
    return [join(to, dotted.has(path) ? `.${path}` : path), readFileSync(join(templates, folder, name), 'utf8')]
  })
}

function configText(settings: Readonly<Record<string, string | number>>): string {
  return `{\n${Object.entries(settings).map(([name, value]) => `  ${name}: ${typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'` : value},\n`).join('')}}`
}

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name]!)
}

/** Replaces article and writer, which the templates use in singular and plural, in lower and upper case. */
function renamed(text: string, [first, second]: Plan['types']): string {
  return text.replace(/(article|writer)(s\b)?/gi, (word: string, of: string, several?: string) => {
    const name = of.toLowerCase() === 'article' ? first : second
    const form = several === undefined ? name : pluralOf(name)
    return (/^[A-Z]/.test(word) ? form.charAt(0).toUpperCase() : form.charAt(0).toLowerCase()) + form.slice(1)
  })
}

function generated(schema: string, types: Plan['types']): Map<string, string> {
  try {
    return generatedFiles(readSdl(schema))
  } catch (error) {
    const [problem] = error instanceof DeclarationError ? error.problems : (error as Error).message.split('\n')
    throw new ConfigError(`Cannot write a schema with the types ${types.join(' and ')}: ${problem} Choose other names.`, { cause: error })
  }
}
