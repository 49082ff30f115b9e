// The partition key of a container, which a SQLite file does not state: each row has the values of the key, and the properties that have the
// same values in all documents are it.

import type { DatabaseSync } from 'node:sqlite'
import { isBody, type Body } from '../../../model/json/json.ts'
import type { Path } from '../../query.ts'
import { tenantPath } from '../../tenants/check-tenanted.ts'
import { keyFromText } from '../decode-rows.ts'

const documentsCompared = 500

/** Undefined where no property has the values of some part. */
export function partitionPathsIn(database: DatabaseSync, table: string): readonly Path[] | undefined {
  const rows = database.prepare(`SELECT key, body FROM ${table} LIMIT ${documentsCompared}`).all()
  const documents = rows.map(({ key, body }) => ({ partition: keyFromText(String(key)).partition, body: JSON.parse(String(body)) as Body }))
  const levels = documents[0]?.partition.length ?? 0
  const paths = Array.from({ length: levels }, (_, level) => {
    const fitting = pathsOf(documents[0]!.body).filter((path) => documents.every(({ partition, body }) => valueAt(path, body) === partition[level]))
    // The tenant, and a property with the id of its own document, are there only for the key.
    return fitting.find(([name]) => name === tenantPath[0]) ?? fitting.find((path) => path.length === 1 && path[0] !== 'id' && /(id|key|pk|partition)$/i.test(path[0]!)) ?? fitting.find(([name]) => name === 'id') ?? fitting[0]
  })
  return paths.every((path) => path !== undefined) ? paths : undefined
}

/** Properties, and those of objects. */
function pathsOf(body: Body): Path[] {
  return Object.entries(body).flatMap(([name, value]) => [[name], ...(isBody(value) ? Object.keys(value).map((inner) => [name, inner]) : [])])
}

function valueAt([name, inner]: Path, body: Body): unknown {
  const value = body[name!]
  return inner === undefined ? value : isBody(value) ? value[inner] : undefined
}
