// The data of the comparison: the sample that ships with Quire, which is the same every time it is
// made. Quire seeds it by itself; peers get it as JSON, or read the SQLite file that Quire made.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readConfig } from '../../src/config/config.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { createGateway } from '../../src/gateway.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Documents } from '../peers/library.ts'

/** What is made to measure with and can be made again. */
export const cacheFolder = join(import.meta.dirname, '../.cache')

export async function sampleLibrary(): Promise<Documents> {
  const { typeDefs, derive, seed } = await readSchemaFolder(readConfig({}).schemaFolder)
  const writes = seed!(readDeclaration(typeDefs, derive))
  const bodies = (container: string, type?: string) => writes.flatMap((write) =>
    write.kind === 'put' && write.container === container && (type === undefined || write.body['type'] === type) ? [write.body] : [])
  return { books: bodies('books', 'book'), authors: bodies('authors'), publishers: bodies('publishers') } as unknown as Documents
}

/** Written anew each time, so that an older sample is never measured by accident. */
export function writeCached(name: string, content: object): string {
  const file = cachePath(name)
  writeFileSync(file, JSON.stringify(content))
  return file
}

export async function writeSampleDatabase(name: string): Promise<string> {
  const file = cachePath(name)
  removeDatabase(file)
  const gateway = await createGateway({ ...(await readSchemaFolder(readConfig({}).schemaFolder)), store: (layout) => openSqliteStore(file, layout) })
  await gateway.dispose()
  return file
}

export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
}

export function cachePath(name: string): string {
  const file = join(cacheFolder, name)
  mkdirSync(dirname(file), { recursive: true })
  return file
}
