// `quire init --from`: opens the source of the documents, and says what the project's settings need for it.

import { relative, resolve } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { openExistingFolder } from '../../evolve/profile/folder/existing-folder.ts'
import type { ExistingDatabase } from '../../store/existing/existing-database.ts'
import { kindNamed, storeKinds } from '../../store/open-store.ts'

export interface ExistingSource {
  readonly database: ExistingDatabase
  /** Documents of each container that are read without --sample: each costs RU in an account, and next to nothing in a file. */
  readonly defaultSample: number
  /** For comments and messages. */
  readonly name: string
  /** The settings under which a project in that folder serves the documents; undefined if they have to be copied. */
  readonly settings: (folder: string) => Readonly<Record<string, string>> | undefined
}

const cosmosSample = 10_000

export async function openSource(given: string, env: NodeJS.ProcessEnv, maxRequests: number): Promise<ExistingSource> {
  if (storeKinds.cosmos.isNamedBy(given)) {
    const setting = storeKinds.cosmos.read(given, env, {})
    const database = await storeKinds.cosmos.look!(setting, maxRequests)
    return { database, defaultSample: cosmosSample, name: `the database "${setting.database}" in Cosmos DB`, settings: () => ({ store: given, cosmosEndpoint: setting.endpoint, cosmosDatabase: setting.database }) }
  }
  if (storeKinds.sqlite.isNamedBy(given)) {
    const setting = storeKinds.sqlite.read(given, env, {})
    const database = await storeKinds.sqlite.look!(setting, maxRequests)
    return { database, defaultSample: Infinity, name: given, settings: (folder) => (database.isServable ? { store: `sqlite:${pathFrom(folder, setting.file)}` } : undefined) }
  }
  const closed = Object.values(storeKinds).find((kind) => kind.durable && !kind.look && kind.isNamedBy(given))
  if (closed) throw new ConfigError(`--from cannot read a ${closed.choice.label} database yet. Export its rows as JSON lines, one file for each container, and give their folder.`)
  // A store that cannot be looked into is named as one.
  if (given === 'memory') kindNamed(`--from ${given}`, '--from')
  return { database: await openExistingFolder(given), defaultSample: Infinity, name: given, settings: () => undefined }
}

/** A path in a config file begins at its folder. */
function pathFrom(folder: string, file: string): string {
  const path = relative(resolve(folder), resolve(file))
  return path.startsWith('../../..') ? resolve(file) : path
}
