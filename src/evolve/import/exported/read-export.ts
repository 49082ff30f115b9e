// Reads the manifest of an export folder, and checks that the schema can store its documents. import-exported.ts writes them.

import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isObject } from '../../../model/json/json.ts'
import { jsonError } from '../../../model/json/json-error.ts'
import { readJsonFile } from '../../../model/json/json-file.ts'
import type { Model } from '../../../model/model.ts'
import { partitionFrom } from '../../../model/keys/partition.ts'
import { didYouMean } from '../../../model/sdl/suggest-name.ts'
import type { Declaration } from '../../../relations/declaration.ts'
import { bucketedFields } from '../../check/bucketed-lists.ts'
import { namedStorage, type DeclaredStorage } from '../../declared/declared-storage.ts'
import { classes, differences } from '../../declared/differences.ts'
import { lineOf } from '../../declared/migration-errors.ts'
import { exportFormat, manifestName, type ExportedFile, type ExportManifest } from '../../export/export-manifest.ts'
import { MappingError, type Mapping, type WholeRows } from '../mapping/mapping.ts'
import { bytesOf, rowFile, rowsOf, type RowFile } from '../rows/rows.ts'
import { repeated } from './duplicate-lines.ts'

/** Whether a path that was given for a mapping names an export: its folder, or its export.json. */
export function isExport(path: string): boolean {
  return basename(path) === manifestName || (existsSync(path) && statSync(path).isDirectory())
}

export async function readExport(path: string, declaration: Declaration): Promise<Mapping> {
  const folder = basename(path) === manifestName ? dirname(path) : path
  const manifest = readManifest(folder)
  const { model } = declaration
  const problems = misfits(manifest.declaration, declaration)
  const whole: WholeRows[] = []
  for (const each of manifest.files) {
    // A folder from an untrusted source must not make Quire read other files.
    if (basename(each.file) !== each.file) {
      problems.push(`${JSON.stringify(each.file)} is not in the folder of the export. Name files of that folder.`)
      continue
    }
    const rows = rowsFor(each, rowFile(folder, each.file), model)
    const problem = typeof rows === 'string' ? rows : await incomplete(each, rows)
    if (problem !== undefined) problems.push(problem)
    else if (typeof rows !== 'string') whole.push(rows)
  }
  if (problems.length > 0) throw new MappingError(problems.map((problem) => `${join(folder, manifestName)}: ${problem}`))
  // Buckets first: a document that is there before its buckets would list entries that are not there.
  return { documents: [], entries: [], whole: whole.toSorted((one, other) => Number(other.owner !== undefined) - Number(one.owner !== undefined)) }
}

function readManifest(folder: string): ExportManifest {
  const path = join(folder, manifestName)
  if (!existsSync(path)) throw new MappingError([`${folder} has no ${manifestName}, so it is not a complete export. Name a mapping, or a folder that "quire export" made.`])
  let given: unknown
  try {
    given = readJsonFile(path)
  } catch (error) {
    throw new MappingError([`${path} is not JSON: ${jsonError(error)}.`])
  }
  const { format, files, declaration } = isObject(given) ? given : {}
  if (format !== exportFormat) throw new MappingError([`${path}: format is ${JSON.stringify(format)}, and this version of Quire reads ${exportFormat}. Export again with this version.`])
  const isComplete = Array.isArray(files) && files.every((each) => isObject(each) && typeof each['file'] === 'string' && typeof each['of'] === 'string') && isObject(declaration)
  const { documents, contained } = isObject(declaration) ? declaration : {}
  if (!isComplete || !isObject(documents) || !isObject(contained)) throw new MappingError([`${path}: "files" or "declaration" is missing. Export again.`])
  return given as ExportManifest
}

/** What would have to be migrated. Values that declarations cannot judge are checked line by line. */
function misfits(exported: DeclaredStorage, declaration: Declaration): string[] {
  return differences(exported, namedStorage(declaration)).filter(({ change }) => classes[change] === 'migration' || classes[change] === 'recompute')
    .map((each) => `${lineOf(each)} Import it under the schema that it was exported under, and then run "quire migrate".`)
}

/** A sentence where the schema has no place for them. */
function rowsFor({ of, file: name }: ExportedFile, file: RowFile, model: Model): WholeRows | string {
  const type = model.documents.get(of)
  if (type) return { file, type }
  const lists = bucketedFields(model)
  const list = lists.find(({ field }) => field.coordinate === of)
  if (list) return { file, type: list.part, owner: list.owner }
  const known = [...model.documents.keys(), ...lists.map(({ field }) => field.coordinate)]
  return `${name} has documents of ${of}, which the schema does not declare.${didYouMean(of, known)} Declare it, or remove the file from "files".`
}

/** A copy of an export may have been cut off, or put together from two. */
async function incomplete({ file: name, documents }: ExportedFile, { file, type, owner }: WholeRows): Promise<string | undefined> {
  if (bytesOf(file) === undefined) return `there is no ${name}. Copy all files of the export.`
  let rows = 0
  for await (const some of rowsOf(file)) rows += some.length
  const twice = await repeated(file, ({ object }) => object && (owner ? JSON.stringify([partitionFrom(type, object) ?? null, object['id']]) : String(object['id'])))
  if (twice) return `${name} has the same document on the lines ${twice[0]} and ${twice[1]}. Remove one of them, and correct "documents".`
  return rows === documents ? undefined : `${name} has ${rows} documents, and "documents" says ${documents}. Copy the file again; if you changed it, correct the number.`
}
