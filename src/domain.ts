// Which schema is served: the shipped one with its functions and its sample, or a folder of the
// user's, whose functions for `@derived` fields are in a file called derive beside the SDL.

import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Config } from './config.ts'
import { readExamples } from './examples.ts'
import type { GatewayOptions } from './gateway.ts'
import { derive } from './library/derive.ts'
import { resolvers } from './library/resolvers.ts'
import { sampleDocuments } from './library/sample.ts'
import { DeclarationError } from './model/declaration-error.ts'
import { readSdlFolder } from './model/read-sdl.ts'
import type { Derive } from './relations/kind.ts'

/** What a gateway has to know of the schema that it serves. */
export type Domain = Pick<GatewayOptions, 'typeDefs' | 'derive' | 'resolvers' | 'seed' | 'examples'>

export async function openDomain(config: Config): Promise<Domain> {
  const typeDefs = readSdlFolder(config.schemaFolder)
  if (config.shipped) return { typeDefs, derive, resolvers, seed: ({ model }) => sampleDocuments(model), examples: readExamples() }
  const file = ['derive.ts', 'derive.js', 'derive.mjs'].map((name) => join(config.schemaFolder, name)).find(existsSync)
  if (!file) return { typeDefs }
  return { typeDefs, derive: await importDerive(file) }
}

/** Modules are kept by their address, so that of a file that has changed says when. What the file itself imports stays as it was. */
async function importDerive(file: string): Promise<Derive> {
  const address = pathToFileURL(file)
  address.searchParams.set('changed', String(statSync(file).mtimeMs))
  try {
    const module = (await import(address.href)) as { derive?: Derive; default?: Derive }
    return module.derive ?? module.default ?? {}
  } catch (error) {
    throw new DeclarationError([`${basename(file)} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`])
  }
}
