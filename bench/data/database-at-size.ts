// A SQLite file with a library of a given size. Writing a million documents takes minutes, so the file is kept and reused
// until the schema or the code that makes it changes.

import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../src/config/config.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { createGateway } from '../../src/gateway.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { libraryOfSize } from './library-at-size.ts'
import { cachePath, removeDatabase } from './sample.ts'

export async function databaseOfSize(documents: number, progress: (text: string) => void): Promise<string> {
  const config = readConfig({})
  const file = cachePath(`library-${documents}-${planKey(config.schemaFolder)}.db`)
  if (existsSync(file)) return file
  progress(`Writing ${documents.toLocaleString('en')} documents, once`)
  const unfinished = `${file}.unfinished`
  removeDatabase(unfinished)
  const domain = await readSchemaFolder(config.schemaFolder)
  const { model, layout } = readDeclaration(domain.typeDefs, domain.derive)
  const store = await openSqliteStore(unfinished, layout)
  for (const batch of libraryOfSize(model, documents)) await store.write(batch)
  await store.close()
  // Opening and closing a gateway marks the store as filled, so that none adds the sample, and checkpoints the WAL into the file.
  const gateway = await createGateway({ ...domain, seed: () => [], store: () => openSqliteStore(unfinished, layout) })
  await gateway.dispose()
  renameSync(unfinished, file)
  return file
}

/** Changes with the schema, with how SQLite stores it, and with the code that makes the documents. */
function planKey(schemaFolder: string): string {
  const folders = [schemaFolder, join(import.meta.dirname, '../../src/store/sqlite')]
  const sources = [join(import.meta.dirname, 'library-at-size.ts'), ...folders.flatMap((folder) => globSync(join(folder, '**/*.{graphql,ts}')).toSorted())]
  const hash = createHash('sha256')
  for (const source of sources) hash.update(readFileSync(source))
  return hash.digest('hex').slice(0, 8)
}
