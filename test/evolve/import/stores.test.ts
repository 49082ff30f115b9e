// A small import on every store: which documents it makes, that `check` finds nothing afterwards, and that a second
// import writes nothing.

import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkStore } from '../../../src/evolve/check/check-store.ts'
import { documentPages } from '../../../src/evolve/check/document-pages.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { importFiles } from '../../../src/evolve/import/import-files.ts'
import type { Rejection, Totals } from '../../../src/evolve/import/import-run.ts'
import { readMapping } from '../../../src/evolve/import/mapping/read-mapping.ts'
import type { Body } from '../../../src/model/json/json.ts'
import type { Store } from '../../../src/store/store.ts'
import { stores } from '../../harness.ts'
import { zooFiles, zooFolder, zooSdl } from './zoo.ts'

const declaration = readDeclaration(zooSdl)

async function importZoo(store: Store, files: Record<string, string> = {}, options: { dryRun?: boolean } = {}): Promise<{ totals: Totals; rejections: string[] }> {
  const folder = zooFolder(files)
  const rejections: Rejection[] = []
  const mapping = await readMapping(join(folder, 'zoo.json'), folder, declaration.model)
  const totals = await importFiles(declaration, store, mapping, { ...options, onRejection: (rejection) => rejections.push(rejection) })
  return { totals, rejections: rejections.map((rejection) => `${'file' in rejection ? `${rejection.file} row ${rejection.row}` : `${rejection.type} ${rejection.id}`}: ${rejection.reason}`) }
}

/** Every document with its etag, versions taken out of the bodies. */
async function contentsOf(store: Store): Promise<{ bodies: Record<string, string>; etags: string[] }> {
  const bodies: Record<string, string> = {}
  const etags: string[] = []
  for (const container of ['keepers', 'houses', 'cages']) {
    for await (const page of documentPages(store, { container })) {
      for (const { key, etag, body } of page) {
        bodies[`${container}/${key.id}`] = JSON.stringify(body, (name, value: unknown) => (name === '_v' || name === '_c' ? undefined : value))
        etags.push(etag)
      }
    }
  }
  return { bodies, etags }
}

async function findings(store: Store): Promise<string[]> {
  const found: string[] = []
  for await (const { sentence } of checkStore(declaration, store)) found.push(sentence)
  return found
}

describe.each(stores)('on $name', ({ store: open }) => {
  const opened = async (): Promise<Store> => {
    const store = await open(declaration.layout)
    onTestFinished(() => store.close())
    return store
  }

  test('rows become documents with their snapshots, lists and counts', async () => {
    const store = await opened()
    const { totals, rejections } = await importZoo(store)
    expect(rejections).toEqual([])
    expect(totals).toMatchObject({ created: 7, entries: 14, refused: 0 })
    const { bodies } = await contentsOf(store)
    const body = (name: string) => JSON.parse(bodies[name]!) as Body
    expect(Object.keys(bodies).map((name) => name.replace(/-[0-9a-f]{12}$/, '-…')).toSorted()).toEqual([
      'cages/c1', 'cages/c1.visits.0', 'cages/c1.visits.1', 'cages/c1.visits.2', 'cages/c1.visits.3', 'cages/c2', 'cages/c4',
      'houses/new-…', 'houses/old-…', 'keepers/k-two', 'keepers/keeper-one',
    ])
    expect(body('cages/c1')).toMatchObject({
      name: 'Lions', size: 12.5, year: 1990, state: 'OPEN', tags: ['big', 'loud'], place: { row: 3 }, countOfVisits: 12, type: 'cage', cageId: 'c1',
      keepers: [{ id: 'keeper-one', name: 'Keeper One' }, { id: 'k-two', name: 'K. Two' }],
      recentVisits: [{ id: 'c1-11', mark: 0, visitor: 'No. 11', number: 11 }, { id: 'c1-10', mark: 10, visitor: 'No. 10', number: 10 }],
    })
    expect(body('cages/c2')).toMatchObject({ name: 'Owls, "small"', tags: [], state: 'OPEN', countOfVisits: 2 })
    expect(Object.keys(body('cages/c2'))).not.toContain('year')
    expect(body('keepers/keeper-one')).toMatchObject({ name: 'Keeper One', cages: ['c1', 'c2'], countOfCages: 2, bossId: 'k-two' })
    expect(Object.entries(bodies).filter(([name]) => name.startsWith('houses/')).map(([, text]) => (JSON.parse(text) as Body)['countOfCages'])).toEqual([1, 2])
    expect(await findings(store)).toEqual([])
  })

  test('a second import writes nothing', async () => {
    const store = await opened()
    await importZoo(store)
    const before = await contentsOf(store)
    const { totals } = await importZoo(store)
    expect(totals).toMatchObject({ created: 0, changed: 0, unchanged: 7, lists: 2, listsChanged: 0, followed: 0 })
    expect(await contentsOf(store)).toEqual(before)
  })

  test('changed rows change their documents, and the snapshots, lists and counts of them', async () => {
    const store = await opened()
    await importZoo(store)
    const { totals } = await importZoo(store, {
      'keepers.jsonl': zooFiles['keepers.jsonl']!.replace('"Keeper One"', '"KEEPER ONE"'),
      'cages.csv': zooFiles['cages.csv']!.replace(',Old\r\nc2', ',New\r\nc2'),
      'visits.csv': zooFiles['visits.csv']!.replace('c1,0,0', 'c1,0,9'),
    })
    expect(totals).toMatchObject({ created: 0, refused: 0 })
    const { bodies } = await contentsOf(store)
    expect(JSON.parse(bodies['cages/c2']!)).toMatchObject({ keepers: [{ id: 'keeper-one', name: 'KEEPER ONE' }] })
    expect(JSON.parse(bodies['cages/c1.visits.0']!)).toMatchObject({ entries: [{ id: 'c1-0', mark: 9, number: 0 }, {}, {}] })
    expect(await findings(store)).toEqual([])
  })

  test('a cell that names several documents makes all of them, once each, and a reference to each', async () => {
    const store = await opened()
    const folder = zooFolder({
      'zoo.csv': 'no,name,keepers\nc1,Lions,"Ann Lee, Bob"\nc2,Owls,"bob ,, ANN LEE,unknown"\nc3,Ants,\n',
      'own.json': JSON.stringify({ documents: [
        { type: 'Cage', file: 'zoo.csv', id: 'no', fields: { name: 'name', keepers: { id: { slug: ['keepers'] }, split: ',' } } },
        { type: 'Keeper', file: 'zoo.csv', split: { column: 'keepers', by: ',' }, id: { slug: ['keepers'] }, fields: { name: 'keepers' } },
      ] }),
    })
    const mapping = await readMapping(join(folder, 'own.json'), folder, declaration.model)
    const progress: number[][] = []
    const totals = await importFiles(declaration, store, mapping, { onProgress: (done, total, what) => void (what === 'rows' && progress.push([done, total])) })
    expect(totals).toMatchObject({ rows: 6, created: 6, refused: 0, skipped: 1 })
    expect(progress.at(-1)).toEqual([6, 6])
    const { bodies } = await contentsOf(store)
    expect(Object.keys(bodies).toSorted()).toEqual(['cages/c1', 'cages/c2', 'cages/c3', 'keepers/ann-lee', 'keepers/bob', 'keepers/unknown'])
    expect(JSON.parse(bodies['keepers/ann-lee']!)).toMatchObject({ name: 'Ann Lee', cages: ['c1', 'c2'], countOfCages: 2 })
    expect(JSON.parse(bodies['cages/c2']!)).toMatchObject({ keepers: [{ id: 'bob', name: 'Bob' }, { id: 'ann-lee', name: 'Ann Lee' }, { id: 'unknown' }] })
    expect(await findings(store)).toEqual([])
  })

  test('a refused row is reported by file and row, and the other rows are imported', async () => {
    const store = await opened()
    const { totals, rejections } = await importZoo(store, {
      'cages.csv': `${zooFiles['cages.csv']}\r\nc5,Bats,,abc,,,,,New\r\nc6,Cats,,,,,,nobody,New\r\nc7,Dogs\r\nc8,Elks,,,AJAR,,,,New\r\nc9,Foxes,,,,,,,New`,
      'visits.csv': `${zooFiles['visits.csv']}\nc99,1,5\nc4,1,\nc4,2,7`,
    })
    expect(rejections.toSorted()).toEqual([
      expect.stringMatching(/^cages\.csv row 6: year .*"abc".* number/),
      expect.stringMatching(/^cages\.csv row 7: Cage\.keepers: there is no Keeper nobody/),
      expect.stringMatching(/^cages\.csv row 8: .*\b2 cells.*\b9/),
      expect.stringMatching(/^cages\.csv row 9: state .*"AJAR".* OPEN, CLOSED/),
      expect.stringMatching(/^visits\.csv row 17: .*Cage c99/),
      expect.stringMatching(/^visits\.csv row 18: mark .*Visit/),
    ])
    expect(totals).toMatchObject({ refused: 6, created: 8, entries: 15 })
    expect(await findings(store)).toEqual([])
  })

  test('a dry run reports the same totals and rejections and writes nothing', async () => {
    const store = await opened()
    const { totals, rejections } = await importZoo(store, { 'visits.csv': `${zooFiles['visits.csv']}\nc99,1,5` }, { dryRun: true })
    expect(totals).toMatchObject({ created: 7, entries: 14, refused: 1 })
    expect(rejections).toEqual([expect.stringMatching(/^visits\.csv row 17: .*Cage c99/)])
    expect(await contentsOf(store)).toEqual({ bodies: {}, etags: [] })
  })

  test('a list that would exceed its max is reported, and other lists are completed', async () => {
    const store = await opened()
    const cages = Array.from({ length: 1001 }, (_, cage) => `k${cage},Cage,,,,,,${cage === 0 ? 'K Two' : 'keeper one'}${cage === 1 ? '|K Two' : ''},Old`)
    const { rejections } = await importZoo(store, { 'cages.csv': `${zooFiles['cages.csv']}\n${cages.join('\n')}` })
    expect(rejections).toEqual([expect.stringMatching(/^Keeper keeper-one: Keeper\.cages .*\b1002 .*\b1000\b/)])
    expect(JSON.parse((await contentsOf(store)).bodies['keepers/k-two']!)).toMatchObject({ countOfCages: 3 })
  })

  test('entries that an earlier import added to a list stay', async () => {
    const store = await opened()
    await importZoo(store, { 'visits.csv': 'cage,visitor,mark\nc1,old,1\nc1,older,2' })
    await importZoo(store)
    const { bodies } = await contentsOf(store)
    expect(JSON.parse(bodies['cages/c1.visits.0']!)).toMatchObject({ entries: [{ id: 'c1-old' }, { id: 'c1-older' }, { id: 'c1-0' }] })
    expect(JSON.parse(bodies['cages/c1']!)).toMatchObject({ countOfVisits: 14 })
    expect(await findings(store)).toEqual([])
  })
})
