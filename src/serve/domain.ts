// Which schema is served: the shipped one with its functions and its sample, or a folder of the
// user's with what is beside its SDL.

import type { Config } from '../config.ts'
import { readExamples } from './examples.ts'
import { derive } from '../library/derive.ts'
import { resolvers } from '../library/resolvers.ts'
import { sampleDocuments } from '../library/sample.ts'
import { readSdlFolder } from '../model/sdl/read-sdl.ts'
import { readSchemaFolder, type SchemaFolder } from './schema-folder.ts'

/** What a gateway has to know of the schema that it serves. */
export type Domain = SchemaFolder

export async function openDomain(config: Config): Promise<Domain> {
  if (!config.shipped) return readSchemaFolder(config.schemaFolder)
  return { typeDefs: readSdlFolder(config.schemaFolder), derive, resolvers, seed: ({ model }) => sampleDocuments(model), examples: readExamples() }
}
