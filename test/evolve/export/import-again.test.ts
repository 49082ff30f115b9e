// An export that was edited, imported over the documents it came from: lines that changed replace their documents, and everything that
// others keep of them follows.

import { join } from 'node:path'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkStore } from '../../../src/evolve/check/check-store.ts'
import { exportDocuments } from '../../../src/evolve/export/export-documents.ts'
import { readExport } from '../../../src/evolve/import/exported/read-export.ts'
import { importFiles } from '../../../src/evolve/import/import-files.ts'
import type { Rejection, Totals } from '../../../src/evolve/import/import-run.ts'
import { readMapping } from '../../../src/evolve/import/mapping/read-mapping.ts'
import type { Body } from '../../../src/model/json/json.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import type { Store, StoredDocument } from '../../../src/store/store.ts'
import { stores } from '../../harness.ts'
import { zooFolder, zooSdl } from '../import/zoo.ts'

const declaration = readDeclaration(zooSdl)

async function exported(store: Store): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  await exportDocuments(declaration, store, { append: (file, text) => void (files[file] = (files[file] ?? '') + text) })
  return files
}

async function imported(store: Store, files: Record<string, string>): Promise<{ totals: Totals; rejections: Rejection[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-again-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const rejections: Rejection[] = []
  const totals = await importFiles(declaration, store, await readExport(folder, declaration), { onRejection: (each) => rejections.push(each) })
  return { totals, rejections }
}

async function at(store: Store, container: string, id: string, owner = id): Promise<StoredDocument> {
  return (await store.readMany(container, [{ partition: [owner], id }]))[0]!
}

describe.each(stores)('on $name', ({ store: open }) => {
  test('changed lines replace their documents and buckets, and their owners and snapshots follow', async () => {
    const store = await open(declaration.layout)
    onTestFinished(() => store.close())
    const folder = zooFolder()
    await importFiles(declaration, store, await readMapping(join(folder, 'zoo.json'), folder, declaration.model))
    const files = await exported(store)
    expect((await imported(store, files)).totals).toMatchObject({ created: 0, changed: 0, unchanged: 11, followed: 0 })
    const before = await at(store, 'cages', 'c1')
    const edited = {
      ...files,
      'Keeper.jsonl': files['Keeper.jsonl']!.replace('"name":"K. Two"', '"name":"Kay","since":{"year":1999}'),
      'Cage.visits.jsonl': files['Cage.visits.jsonl']!.replace('"mark":1,', '"mark":9,'),
    }
    const { totals, rejections } = await imported(store, edited)
    expect(rejections).toEqual([])
    expect(totals).toMatchObject({ created: 0, changed: 2 })
    expect((await at(store, 'keepers', 'k-two')).body).toMatchObject({ name: 'Kay', since: { year: 1999 }, cages: ['c1'], countOfCages: 1 })
    const cage = await at(store, 'cages', 'c1')
    expect(cage.etag).not.toBe(before.etag)
    expect((cage.body['keepers'] as readonly Body[]).map(({ name }) => name)).toEqual(['Keeper One', 'Kay'])
    expect((await at(store, 'cages', 'c1.visits.0', 'c1')).body['entries']).toMatchObject([{ mark: 0 }, { mark: 9 }, { mark: 2 }])
    expect(await Array.fromAsync(checkStore(declaration, store))).toEqual([])
    // The first export puts everything back, and what is not in a line goes. The cage has a line with another name of its keeper, too.
    expect((await imported(store, files)).totals).toMatchObject({ changed: 3 })
    expect(await exported(store)).toEqual(files)
  })

  test('a list without the entries that its count says is repaired', async () => {
    const store = await open(declaration.layout)
    onTestFinished(() => store.close())
    const folder = zooFolder()
    await importFiles(declaration, store, await readMapping(join(folder, 'zoo.json'), folder, declaration.model))
    const files = await exported(store)
    const other = await open(declaration.layout)
    onTestFinished(() => other.close())
    const edited = { ...files, 'Keeper.jsonl': files['Keeper.jsonl']!.replaceAll(/"cages":\[[^\]]*\]/g, '"cages":[]').replaceAll(/"countOfCages":\d+/g, '"countOfCages":77') }
    expect((await imported(other, edited)).rejections).toEqual([])
    expect(await exported(other)).toEqual(files)
  })
})

test('an export with the same document twice, or with files of another folder, is refused before anything is written', async () => {
  const store = await stores[0]!.store(declaration.layout)
  onTestFinished(() => store.close())
  const folder = zooFolder()
  await importFiles(declaration, store, await readMapping(join(folder, 'zoo.json'), folder, declaration.model), { onRejection: () => {} })
  const files = await exported(store)
  const [name, text] = Object.entries(files).find(([file, lines]) => file.endsWith('.jsonl') && lines.split('\n').length > 3)!
  const lines = text.trimEnd().split('\n')
  const manifest = JSON.parse(files['export.json']!) as { files: { file: string; documents: number }[] }
  const withMore = { ...manifest, files: manifest.files.map((each) => (each.file === name ? { ...each, documents: each.documents + 1 } : each)) }
  await expect(imported(store, { ...files, [name]: `${[...lines, lines[1]].join('\n')}\n`, 'export.json': JSON.stringify(withMore) })).rejects.toThrow(new RegExp(`the same document on the lines 2 and ${lines.length + 1}`))
  const elsewhere = { ...manifest, files: manifest.files.map((each, index) => (index === 0 ? { ...each, file: `../${each.file}` } : each)) }
  await expect(imported(store, { ...files, 'export.json': JSON.stringify(elsewhere) })).rejects.toThrow(/not in the folder of the export/)
})
