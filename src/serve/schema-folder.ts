// A folder that can be served: SDL, and beside it what only some folders need. `derive.ts` has the
// functions of `@derived` fields, `resolvers.ts` the root fields that the SDL adds by itself,
// `documents.json` what a new store is filled with, and files of operations are what GraphiQL opens with.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { IResolvers } from '@graphql-tools/utils'
import { ConfigError } from '../config.ts'
import { readExamples } from './examples.ts'
import type { GatewayOptions } from '../gateway.ts'
import { givenDocuments, type GivenDocuments } from './given-documents.ts'
import { DeclarationError } from '../model/sdl/declaration-error.ts'
import { readSdlFolder } from '../model/sdl/read-sdl.ts'
import type { Derive } from '../relations/kind.ts'

export type SchemaFolder = Pick<GatewayOptions, 'typeDefs' | 'derive' | 'resolvers' | 'seed' | 'examples'>

export async function readSchemaFolder(folder: string): Promise<SchemaFolder> {
  const typeDefs = readSdlFolder(folder)
  const derive = await exported<Derive>(folder, 'derive')
  const resolvers = await exported<IResolvers>(folder, 'resolvers')
  const documents = readDocuments(folder)
  const examples = readExamples(folder)
  return {
    typeDefs,
    ...(derive ? { derive } : {}),
    ...(resolvers ? { resolvers } : {}),
    ...(documents ? { seed: ({ model }) => givenDocuments(model, documents) } : {}),
    ...(examples.length > 0 ? { examples } : {}),
  }
}

/** Modules are kept by their address, so that of a file that has changed says when. What the file itself imports stays as it was. */
async function exported<T>(folder: string, name: string): Promise<T | undefined> {
  const file = ['ts', 'js', 'mjs'].map((ending) => join(folder, `${name}.${ending}`)).find(existsSync)
  if (!file) return undefined
  const address = pathToFileURL(file)
  address.searchParams.set('changed', String(Math.trunc(statSync(file).mtimeMs)))
  try {
    const module = (await import(address.href)) as Record<string, T | undefined>
    return module[name] ?? module['default']
  } catch (error) {
    throw new DeclarationError([`${basename(file)} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`])
  }
}

function readDocuments(folder: string): GivenDocuments | undefined {
  const file = join(folder, 'documents.json')
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as GivenDocuments
  } catch (error) {
    throw new ConfigError(`${file} is not JSON: ${(error as Error).message}`)
  }
}
