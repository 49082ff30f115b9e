// A SQLite file with a library of a given size. A million documents take minutes to write, so the
// file is kept and used again while the schema and the code that makes it are as they were.

import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
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
  // Marks the store as filled, so that a gateway does not add its sample; closing it folds the log into the file.
  const gateway = await createGateway({ ...domain, seed: () => [], store: () => openSqliteStore(unfinished, layout) })
  await gateway.dispose()
  renameSync(unfinished, file)
  return file
}

function planKey(schemaFolder: string): string {
  const folders = [schemaFolder, join(import.meta.dirname, '../../src/store/sqlite')]
  const sources = [join(import.meta.dirname, 'library-at-size.ts'), ...folders.flatMap((folder) => globSync(join(folder, '**/*.{graphql,ts}')).toSorted())]
  const hash = createHash('sha256')
  for (const source of sources) hash.update(readFileSync(source))
  return hash.digest('hex').slice(0, 8)
}
