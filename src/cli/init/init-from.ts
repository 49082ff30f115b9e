// `quire init --from`: looks at the documents that there are, and writes a project that serves them, or only its schema. The source is only read;
// documents that Quire cannot serve where they are get copied into a store of the project.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { adoptDeclaration } from '../../evolve/declared/stored-declaration.ts'
import { copyDocuments } from '../../evolve/infer/copy-documents.ts'
import { inferSchema, type InferredSchema } from '../../evolve/infer/infer-schema.ts'
import { counted } from '../../evolve/infer/evidence.ts'
import { profileDatabase, type Profile } from '../../evolve/profile/profile-database.ts'
import { withStoredSnapshots } from '../../evolve/stored-snapshots.ts'
import { ConfigError } from '../../errors.ts'
import { kindNamed, openStore } from '../../store/open-store.ts'
import { markSeeded } from '../../store/own-container.ts'
import type { ExistingDatabase } from '../../store/existing/existing-database.ts'
import { createProgressBar } from '../command/progress-bar.ts'
import { openSource, type ExistingSource } from './existing-source.ts'

export interface FromOptions {
  readonly from: string
  readonly sample?: string
  readonly maxRequests?: string
  readonly store?: string
  readonly force?: boolean
}

export interface Inferred extends InferredSchema {
  /** The settings that the project needs to serve the documents. */
  readonly settings: Readonly<Record<string, string>>
  /** The type that most documents are of. */
  readonly largest: string
  /** What to tell people, a line each. */
  readonly summary: readonly string[]
  /** Copies the documents into the store of the settings, if they are not there already. Answers with lines to print. */
  fill(): Promise<readonly string[]>
  close(): Promise<void>
}

const defaultStore = 'sqlite:.quire/documents.db'
const defaultMaxRequests = 2000

export async function inferFrom(folder: string, options: FromOptions, env: NodeJS.ProcessEnv): Promise<Inferred> {
  const maxRequests = readNumber(options.maxRequests, '--max-requests', defaultMaxRequests)
  const source = await openSource(options.from, env, maxRequests)
  const { database } = source
  try {
    if (database.containers.length === 0) throw new ConfigError(`${source.name} has no documents. Name another source with --from.`)
    const sample = options.sample === 'all' ? Infinity : readNumber(options.sample, '--sample', source.defaultSample)
    const profile = await profiled(database, sample)
    const inferred = inferSchema(profile, titleOf(source, profile))
    const served = options.store === undefined ? source.settings(folder) : undefined
    const settings = served ?? { store: options.store ?? defaultStore }
    return {
      ...inferred, settings,
      largest: largestOf(profile, inferred),
      summary: [...summaryOf(profile, inferred, database), ...(database.problems?.() ?? [])],
      fill: async () => (served ? [] : fillStore(folder, settings.store!, database, inferred, options.force === true)),
      close: () => database.close(),
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function profiled(database: ExistingDatabase, sample: number): Promise<Profile> {
  const bar = createProgressBar(process.stderr, 'documents')
  const profile = await profileDatabase(database, { sample, onProgress: (container, read, total = read) => bar.update(read, Math.min(total, sample), `documents of ${container}`) })
  bar.clear()
  return profile
}

async function fillStore(folder: string, given: string, database: ExistingDatabase, { declaration }: InferredSchema, force: boolean): Promise<string[]> {
  const kind = kindNamed(given, '--store')
  const setting = kind.read(kind.within?.(given, resolve(folder)) ?? given, process.env, {})
  if (!kind.durable) throw new ConfigError(`--store is ${given}, which would lose the documents when the process ends. Write sqlite:PATH.`)
  if ('file' in setting && existsSync(setting.file) && !force) throw new ConfigError(`Nothing was written: ${setting.file} exists, and the documents would be added to it. Name another store with --store, or add --force.`)
  const store = await openStore(setting, declaration.layout)
  const bar = createProgressBar(process.stderr, 'documents')
  try {
    await adoptDeclaration(declaration, store)
    await markSeeded(store)
    await withStoredSnapshots(declaration, store)
    const { copied, left } = await copyDocuments(database, declaration, store, { onProgress: (done, total) => bar.update(done, total) })
    bar.clear()
    return [`Copied ${counted(copied)} documents into ${given}.${left > 0 ? ` ${counted(left)} are of no type of the schema and were left out.` : ''}`]
  } finally {
    await store.close()
  }
}

function titleOf({ name }: ExistingSource, { containers }: Profile): string[] {
  const read = containers.reduce((sum, each) => sum + each.read, 0)
  return [`A guess from ${counted(read)} documents of ${name}. Each comment states the evidence. Read it, correct mistakes, and rename what you like: a field with another name than its property needs at: "property".`]
}

/** What was guessed, how sure it is, and what it has cost. */
function summaryOf({ containers, pointers }: Profile, { sdl, declaration: { model } }: InferredSchema, database: ExistingDatabase): string[] {
  const documents = containers.reduce((sum, { read }) => sum + read, 0)
  const partial = containers.filter(({ read, total }) => total === undefined || read < total)
  const { requests, requestCharge, isUsedUp = false } = database.spent()
  const cost = requests === 0 ? '' : ` It took ${counted(requests)} requests${requestCharge === undefined ? '' : ` and ${counted(Math.round(requestCharge))} RU`}.`
  const uses = (directive: string): number => sdl.split('\n').filter((line) => !line.trimStart().startsWith('#') && line.includes(`@${directive}`)).length
  const kinds = Object.entries({ reference: 'references', snapshot: 'snapshots', reverse: 'reverses', counted: 'counts', bucketed: 'bucketed lists', derived: 'computed fields' }).flatMap(([directive, plural]) => (uses(directive) > 0 ? [`${uses(directive)} ${uses(directive) === 1 ? plural.replace(/s$/, '') : plural}`] : []))
  const doubtful = pointers.filter(({ found, lookedUp }) => found < lookedUp).length
  return [
    `Read ${counted(documents)} documents of ${containers.length} ${containers.length === 1 ? 'container' : 'containers'}${partial.length === 0 ? '' : `, a sample of ${partial.map(({ container, read, total }) => `${container.name} (${counted(read)} of ${total === undefined ? 'more' : counted(total)})`).join(', ')}`}.${cost}`,
    `Found ${model.documents.size} document ${model.documents.size === 1 ? 'type' : 'types'}${kinds.length === 0 ? '' : `: ${kinds.join(', ')}`}.${doubtful > 0 ? ` ${doubtful} of the relations have values that are no ids; the comments say how many.` : ''}`,
    ...(containers.some(({ container }) => container.isTenanted) ? ['Tenants share these documents: set QUIRE_TENANTS to the claim that names the tenant.'] : []),
    ...(isUsedUp ? ['The max of requests was reached, so relations may be missing and samples are smaller. Raise --max-requests, or lower --sample.'] : []),
    ...(sdl.includes('# Left out:') ? ['Some stored properties cannot be fields: look for "Left out" in schema.graphql.'] : []),
  ]
}

function largestOf({ containers }: Profile, { declaration: { model } }: InferredSchema): string {
  const sizes = [...model.documents.values()].map(({ name, container, discriminator }) => ({ name, size: containers.flatMap(({ types }) => types).find((type) => type.container.name === container && type.type === discriminator)?.documents ?? 0 }))
  return sizes.toSorted((one, other) => other.size - one.size)[0]!.name
}

function readNumber(given: string | undefined, option: string, preset: number): number {
  if (given === undefined) return preset
  const number = Number(given)
  if (!Number.isInteger(number) || number < 1) throw new ConfigError(`${option} is "${given}". Give a whole number above 0${option === '--sample' ? ', or all' : ''}.`)
  return number
}
