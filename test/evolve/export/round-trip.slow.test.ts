// Random documents, exported and imported into an empty store, on every store: answers are the same, a check finds nothing, and a second
// export is the same bytes.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkStore } from '../../../src/evolve/check/check-store.ts'
import { documentPages } from '../../../src/evolve/check/document-pages.ts'
import { exportDocuments } from '../../../src/evolve/export/export-documents.ts'
import { readExport } from '../../../src/evolve/import/exported/read-export.ts'
import { importFiles } from '../../../src/evolve/import/import-files.ts'
import type { Rejection } from '../../../src/evolve/import/import-run.ts'
import type { Json } from '../../../src/model/json/json.ts'
import { keyText } from '../../../src/model/keys/key.ts'
import { readSdl } from '../../../src/model/sdl/read-sdl.ts'
import { readDeclaration, type Declaration } from '../../../src/relations/declaration.ts'
import { selectionOf } from '../../../src/read/selection.ts'
import { ownContainer } from '../../../src/store/own-container.ts'
import type { Store } from '../../../src/store/store.ts'
import fc, { runs } from '../../fast-check.ts'
import { openGateway, stores, type Ask } from '../../harness.ts'
import { domains, type Domain } from '../../random/gateways.ts'
import { operationsOver } from '../../random/operations-over.ts'
import { randomMutation } from '../../tenants/random-mutation.ts'

const timeoutMs = 120_000

for (const [name, domain] of Object.entries(domains)) {
  describe.for(stores)(`${name} on $name`, ({ name: storeName, store: open }) => {
    test('survives an export and an import', async () => {
      const declaration = readDeclaration(typeof domain.typeDefs === 'string' ? readSdl(domain.typeDefs) : domain.typeDefs, domain.derive)
      const { schema, known, operations } = await operationsOver(domain)
      const scattered = new Set([...declaration.model.documents.values()].filter(({ partitionKey: key }) => key.form === 'synthetic' && key.suffix?.form === 'random').map((type) => type.name))
      const examples = fc.tuple(
        fc.array(randomMutation({ schema, known, scattered }), { minLength: 5, maxLength: 10 }), fc.array(undeclared, { minLength: 1, maxLength: 5 }),
        fc.array(operations.filter(({ query }) => !query.includes('etag')), { minLength: 4, maxLength: 4 }),
      )
      const other = stores[(stores.findIndex((each) => each.name === storeName) + 1) % stores.length]!
      await fc.assert(fc.asyncProperty(examples, async ([mutations, properties, queries]) => {
        const from = await open(declaration.layout)
        const ask = await served(domain, from)
        for (const { query, variables } of mutations) await ask(query, { variables })
        await addUndeclared(declaration, from, properties)
        // Some of the sample's own copies are as nobody would write them.
        await Array.fromAsync(checkStore(declaration, from, { repair: true }))
        const first = await exported(declaration, from)
        expect(await exported(declaration, from)).toEqual(first)
        for (const target of [open, other.store]) {
          const to = await target(declaration.layout)
          expect(await imported(declaration, to, first)).toEqual([])
          expect(await exported(declaration, to)).toEqual(first)
          expect(await contentsOf(declaration, to)).toEqual(await contentsOf(declaration, from))
          expect(await Array.fromAsync(checkStore(declaration, to))).toEqual([])
          const copy = await served({ ...domain, seed: () => [] }, to)
          for (const { query, variables } of queries) {
            const [one, same] = [await ask(query, { variables }), await copy(query, { variables })]
            expect({ data: same.data, errors: same.errors }).toEqual({ data: one.data, errors: one.errors })
          }
          await copy.close()
        }
        await ask.close()
      }), { numRuns: runs(storeName === 'cosmos' ? 1 : 2), endOnFailure: true })
    }, timeoutMs)
  })
}

/** A property that no schema declares, for one of the documents. */
const undeclared = fc.tuple(fc.nat(), fc.nat(), fc.constantFrom('extra', 'Ünicode "name"', '__proto__', '7', 'a.b', '_v2'), fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }))

async function addUndeclared({ model }: Declaration, store: Store, all: readonly (readonly [number, number, string, unknown])[]): Promise<void> {
  const types = [...model.documents.values()]
  for (const [nthType, nth, name, value] of all) {
    const type = types[nthType % types.length]!
    const documents = await store.query({ ...selectionOf(type), orderBy: { path: ['id'], descending: false }, limit: 50 })
    const document = documents[nth % documents.length]
    if (!document) continue
    // JSON has no -0.
    const body = { ...document.body, ...Object.fromEntries([[name, JSON.parse(JSON.stringify(value)) as Json]]) }
    await store.write([{ kind: 'put', container: type.container, key: document.key, body }])
  }
}

/** Every stored document without its versions, whatever an export would make of it. */
async function contentsOf({ layout }: Declaration, store: Store): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const { name: container } of layout.filter(({ name }) => name !== ownContainer)) {
    for await (const page of documentPages(store, { container })) {
      for (const { key, body } of page) found[`${container} ${keyText(key)}`] = JSON.parse(JSON.stringify(body, (name, value: unknown) => (name === '_v' || name === '_c' ? undefined : value)))
    }
  }
  return found
}

async function served(domain: Domain, store: Store): Promise<Ask> {
  return openGateway({ ...domain, store: () => Promise.resolve(store) })
}

async function exported(declaration: Declaration, store: Store): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  await exportDocuments(declaration, store, { append: (file, text) => void (files[file] = (files[file] ?? '') + text) })
  return files
}

/** The rejections. */
async function imported(declaration: Declaration, store: Store, files: Record<string, string>): Promise<Rejection[]> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-export-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const rejections: Rejection[] = []
  await importFiles(declaration, store, await readExport(folder, declaration), { onRejection: (each) => rejections.push(each) })
  return rejections
}
