// A schema folder: SDL, and beside it the files that some schemas need. Quire reads the sample library the same way.
//
//   *.graphql            SDL, or operations that GraphiQL opens with (by custom in operations/)
//   derive.ts            functions of @derived fields
//   resolvers.ts         resolvers of root fields that the SDL adds
//   plugins.ts           plugins of Yoga or Envelop
//   context.ts           what resolvers find in their context beside `quire`
//   documents.ts, .json  documents that fill a new store
//   migrate.ts           values for documents that lack a new required field; cli/migrate/answers.ts reads it
//   seed.ts              documents that `quire seed` generates; schema-folder/seed-file.ts reads it

import type { IResolvers } from '@graphql-tools/utils'
import type { DocumentNode } from 'graphql'
import type { GatewayOptions } from '../gateway.ts'
import { readSdlFolder } from '../model/sdl/read-sdl.ts'
import type { Derive } from '../relations/kind.ts'
import { withTexts } from '../relations/values/function-texts.ts'
import type { Example } from '../site/first-operation.ts'
import { readDocumentsFile } from './schema-folder/documents-file.ts'
import { readExamples } from './schema-folder/examples.ts'
import { loadExport } from './schema-folder/load-export.ts'

/**
 * What a schema folder holds: options for `createGateway`.
 *
 * @example
 * ```ts
 * const { typeDefs }: SchemaFolder = await readSchemaFolder('schema')
 * ```
 */
export interface SchemaFolder {
  readonly typeDefs: string | DocumentNode
  readonly derive?: Derive
  readonly resolvers?: IResolvers
  readonly plugins?: NonNullable<GatewayOptions['plugins']>
  readonly context?: NonNullable<GatewayOptions['context']>
  readonly examples?: readonly Example[]
  /** The documents of a new store. @internal */
  readonly seed?: NonNullable<GatewayOptions['seed']>
}

/**
 * Reads a schema folder as the command line does: SDL, `derive`, `resolvers`, documents for a new store, and operations for GraphiQL.
 *
 * @example
 * ```ts
 * import { createGateway, readSchemaFolder } from 'quire-graphql'
 * import { openSqliteStore } from 'quire-graphql/sqlite'
 *
 * const gateway = await createGateway({ ...(await readSchemaFolder('schema')), store: (layout) => openSqliteStore('data.db', layout) })
 * ```
 */
export async function readSchemaFolder(folder: string): Promise<SchemaFolder> {
  const declared = await readDeclaredSchema(folder)
  const resolvers = await loadExport<IResolvers>(folder, 'resolvers')
  const plugins = await loadExport<NonNullable<GatewayOptions['plugins']>>(folder, 'plugins')
  const context = await loadExport<NonNullable<GatewayOptions['context']>>(folder, 'context')
  const documents = await readDocumentsFile(folder)
  const examples = readExamples(folder)
  return {
    ...declared,
    ...(resolvers ? { resolvers: resolvers.value } : {}),
    ...(plugins ? { plugins: plugins.value } : {}),
    ...(context ? { context: context.value } : {}),
    ...(documents ? { seed: ({ model }) => documents(model) } : {}),
    ...(examples.length > 0 ? { examples } : {}),
  }
}

/** Only what `readDeclaration` needs. Commands that serve nothing start faster without the other files. */
export async function readDeclaredSchema(folder: string): Promise<Pick<SchemaFolder, 'typeDefs' | 'derive'>> {
  const typeDefs = readSdlFolder(folder)
  const derive = await loadExport<Derive>(folder, 'derive')
  return { typeDefs, ...(derive ? { derive: withTexts(derive.value) } : {}) }
}
