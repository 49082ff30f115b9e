// What the manifest of an export says of its files: the container that each was exported from. Types and fields are not taken from it, since
// a guess says what the documents show.

import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../../../errors.ts'
import { isObject } from '../../../model/json/json.ts'
import { jsonError } from '../../../model/json/json-error.ts'
import { readJsonFile } from '../../../model/json/json-file.ts'
import type { ExistingContainer } from '../../../store/existing/existing-database.ts'
import { exportFormat, manifestName, type ExportManifest } from '../../export/export-manifest.ts'

export type ExportedContainer = Pick<ExistingContainer, 'name' | 'partitionKey'>

/** By the name of a file; undefined if the folder is no export. Any other file may be called export.json, too. */
export function exportedContainers(folder: string): ReadonlyMap<string, ExportedContainer> | undefined {
  const path = join(folder, manifestName)
  if (!existsSync(path) || !beginsLikeManifest(path)) return undefined
  let given: unknown
  try {
    given = readJsonFile(path)
  } catch (error) {
    throw new ConfigError(`${path} is not JSON: ${jsonError(error)}. Export again, or remove the file to read the others as they are.`)
  }
  const { format, files, declaration } = isObject(given) ? (given as Partial<ExportManifest>) : {}
  if (format !== exportFormat || !Array.isArray(files) || !isObject(declaration?.documents)) throw new ConfigError(`${path}: this version of Quire reads exports of format ${exportFormat}, and not this one. Export again with this version, or remove the file to read the others as they are.`)
  const { documents } = declaration
  return new Map((files as ExportManifest['files']).flatMap(({ file, of }) => {
    // A bucketed list is `Type.field`, and its buckets are beside the documents of the type.
    const type = documents[of.split('.')[0]!]
    return type ? [[file, { name: type.container, partitionKey: type.partitionPaths }] as const] : []
  }))
}

/** Data may be large, so it is not read as a whole to find out. */
function beginsLikeManifest(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(64)
    return /^\s*\{\s*"format"\s*:/.test(start.toString('utf8', 0, readSync(file, start)))
  } finally {
    closeSync(file)
  }
}
