// Which schema is served: the shipped one with its functions and its sample, or a folder of the
// user's, whose functions for `@derived` fields are in a file called derive beside the SDL.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Config } from './config.ts'
import { readExamples } from './examples.ts'
import type { GatewayOptions } from './gateway.ts'
import { derive } from './library/derive.ts'
import { resolvers } from './library/resolvers.ts'
import { sampleDocuments } from './library/sample.ts'
import { readSdlFolder } from './model/read-sdl.ts'
import type { Derive } from './relations/kind.ts'

export async function openDomain(config: Config): Promise<Pick<GatewayOptions, 'typeDefs' | 'derive' | 'resolvers' | 'seed' | 'examples'>> {
  const typeDefs = readSdlFolder(config.schemaFolder)
  if (config.shipped) return { typeDefs, derive, resolvers, seed: ({ model }) => sampleDocuments(model), examples: readExamples() }
  const file = ['derive.ts', 'derive.js', 'derive.mjs'].map((name) => join(config.schemaFolder, name)).find(existsSync)
  if (!file) return { typeDefs }
  const module = (await import(pathToFileURL(file).href)) as { derive?: Derive; default?: Derive }
  return { typeDefs, derive: module.derive ?? module.default ?? {} }
}
