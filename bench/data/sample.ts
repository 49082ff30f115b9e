// The data of the comparison: Quire's sample, which is the same every time. Quire seeds it itself; peers read it as JSON or
// from the SQLite file that Quire wrote.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readConfig } from '../../src/config/config.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { createGateway } from '../../src/gateway.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Documents } from '../peers/documents.ts'

/** For generated files, which can be deleted. */
export const cacheFolder = join(import.meta.dirname, '../.cache')

export async function sampleLibrary(): Promise<Documents> {
  const { typeDefs, derive, seed } = await readSchemaFolder(readConfig({}).schemaFolder)
  const writes = seed!(readDeclaration(typeDefs, derive))
  const bodies = (container: string, type?: string) => writes.flatMap((write) =>
    write.kind === 'put' && write.container === container && (type === undefined || write.body['type'] === type) ? [write.body] : [])
  return {
    books: bodies('books', 'book'), authors: bodies('authors'), publishers: bodies('publishers'),
    people: bodies('people'), portfolios: bodies('portfolios'), stocks: bodies('stocks'),
  } as unknown as Documents
}

/** Written every time, so that no older sample is measured by accident. */
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
