// A schema with everything that an import maintains, and files that fill it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export const zooSdl = `
  type Keeper @document(container: "keepers") {
    id: ID!
    name: String! @indexed
    cages: [Cage!]! @reference(at: "cages", inverseOf: "Cage.keepers")
    countOfCages: Int! @counted(relation: "cages")
    boss: Keeper @reference(at: "bossId")
  }
  type House @document(container: "houses") {
    id: ID!
    name: String!
    cages: CageConnection! @reverse(of: "Cage.house")
    countOfCages: Int! @counted(relation: "cages")
  }
  type Cage @document(container: "cages", partitionKey: "/cageId", type: "cage") {
    id: ID!
    name: String!
    size: Float
    year: Int
    state: State
    tags: [String!]! @contained(max: 5)
    place: Place
    keepers: [Keeper!]! @snapshot(at: "keepers", fields: ["name"])
    house: House @reference(at: "houseId")
    visits: VisitConnection! @bucketed(at: "recentVisits", recent: 2, size: 3, key: "cageId", type: "visits")
    countOfVisits: Int! @counted(relation: "visits")
  }
  enum State { OPEN CLOSED }
  type Place { row: Int! hint: String }
  type Visit { id: ID! mark: Int! visitor: String }
`

export const zooMapping = {
  documents: [
    {
      type: 'Cage', file: 'cages.csv', skip: [{ column: 'name', is: ['', 'n/a'] }], id: 'no',
      fields: {
        name: 'name', size: 'size', year: { column: 'year', empty: ['0'] }, state: { column: 'state', default: 'OPEN' },
        tags: { column: 'tags', split: '|' }, place: { row: { column: 'place', match: '^r(\\d+)' } },
        keepers: { id: { slug: ['keeper'] }, split: '|' }, house: { id: { hash: ['house'] } },
      },
    },
    { type: 'House', file: 'cages.csv', skip: [{ column: 'house', is: '' }], id: { hash: ['house'] }, fields: { name: 'house' } },
    { type: 'Keeper', file: 'keepers.jsonl', id: { slug: ['name'] }, fields: { name: 'name', boss: { id: { slug: ['boss'] } } } },
  ],
  entries: [
    { list: 'Cage.visits', file: 'visits.csv', of: 'cage', id: { text: '{cage}-{visitor}' }, fields: { mark: 'mark', visitor: { text: 'No. {visitor}' } } },
  ],
}

/** Keeper names come in several spellings; "K. Two" is the boss of the first. */
export const zooFiles: Record<string, string> = {
  'keepers.jsonl': ['{"name":"Keeper One","boss":"k two"}', '{"name":"K. Two"}', '{"name":"keeper ONE"}', ''].join('\n'),
  'cages.csv': [
    'no,name,size,year,state,tags,place,keeper,house',
    'c1,Lions,12.5,1990,OPEN,big|loud,r3 left,KEEPER ONE|K Two,Old',
    'c2,"Owls, ""small""",,0,,,,keeper-one,Old',
    'c3,n/a,,,,,,,',
    'c4,Ants,1,2001,CLOSED,,r1,,New',
  ].join('\r\n'),
  'visits.csv': ['cage,visitor,mark', ...Array.from({ length: 12 }, (_, visit) => `c1,${visit},${visit % 11}`), 'c2,1,5', 'c1,3,3', 'c2,2,6'].join('\n'),
}

/** A folder with the mapping and the files, removed after the test. */
export function zooFolder(files: Record<string, string> = {}, mapping: unknown = zooMapping): string {
  const folder = mkdtempSync(join(tmpdir(), 'quire-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries({ ...zooFiles, ...files, 'zoo.json': JSON.stringify(mapping) })) writeFileSync(join(folder, name), text)
  return folder
}
