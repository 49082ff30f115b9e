// `quire explain`: the plan it prints, and its errors for invalid operations.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runExplain, type ExplainOptions } from '../../src/cli/explain/explain.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'

const sdl = `
  type Cage @document(container: "cages") {
    id: ID! size: Int! @indexed
    keeper: Keeper! @snapshot(at: "keeper", fields: ["name"])
    diary: NoteConnection! @bucketed(at: "recent", recent: 2, size: 10, key: "cageId", type: "notes")
  }
  type Note { id: ID! text: String! }
  type Keeper @document(container: "keepers") { id: ID! name: String! born: Int cages: CageConnection! @reverse(of: "Cage.keeper") countOfCages: Int! @counted(relation: "cages") }
`.replace('@document(container: "cages")', '@document(container: "cages", partitionKey: "/cageId", type: "cage")')

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quire-explain-'))
  writeFileSync(join(folder, 'zoo.graphql'), sdl)
  const store = await openSqliteStore(join(folder, 'zoo.db'), readDeclaration(sdl).layout)
  await store.write(['k1', 'k2', 'k3'].map((id) => ({ kind: 'put', container: 'keepers', key: { partition: [id], id }, body: { id, name: id, countOfCages: 0 } })))
  await store.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Ran {
  readonly code: unknown
  readonly out: string[]
  readonly err: string[]
}

async function explain(operation: string, options: Partial<ExplainOptions> = {}, env: Record<string, string> = {}): Promise<Ran> {
  const out: string[] = []
  const err: string[] = []
  const code = await runExplain('-', { store: false, json: false, ...options }, { env: { ...settings(), ...env }, read: () => operation, print: (printed) => out.push(...linesOf(printed)), printError: (line) => err.push(line) })
  return { code, out, err }
}

async function explainInProcess(operation: string, ...args: string[]): Promise<Ran> {
  const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'bin/quire.js', 'explain', '-', ...args], {
    env: { ...process.env, ...settings() }, stdio: ['pipe', 'pipe', 'pipe'],
  })
  started.stdin.end(operation)
  const [out, err, [code]] = await Promise.all([textOf(started.stdout), textOf(started.stderr), once(started, 'close')])
  return { code: code as unknown, out: linesOf(out), err: linesOf(err) }
}

function settings(): Record<string, string> {
  return { QUIRE_SCHEMA: folder, QUIRE_STORE: `sqlite:${join(folder, 'zoo.db')}` }
}

function linesOf(printed: string): string[] {
  return printed.split('\n').filter((line) => line !== '')
}

const list = 'query List($first: Int!, $all: Boolean!) { keepers(first: $first) { totalCount nodes { cages(first: 5) { nodes { size keeper { name born @include(if: $all) } diary(first: 12) { nodes { text } } } } countOfCages } } }'

describe('a plan', () => {
  test('is a tree of relations: snapshot or lookup, why, the store call and its wave', async () => {
    expect(await explain(list, { variables: '{"first": 10, "all": true}' })).toEqual({
      code: 0,
      err: [],
      out: [
        'query List',
        '└─ keepers  Query.keepers',
        '   │ wave 1: query over partitions in keepers, 0 to 10 documents, about 3.9 RU',
        '   │ wave 1: count in keepers, one number, about 2.9 RU',
        '   ├─ cages  Keeper.cages: lookup, found through Cage.keeper',
        '   │  │ wave 2: query over partitions in cages, 0 to 5 documents for each of 0 to 10 holders, about 33.5 RU',
        '   │  ├─ keeper  Cage.keeper: lookup, born is not copied',
        '   │  │    wave 3: point reads by key in keepers, 0 to 50 documents, about 8.31 RU',
        '   │  └─ diary  Cage.diary: lookup, the newest 2 are in the document, older ones in buckets of 10',
        '   │       wave 3: point reads by key in cages, 0 to 100 documents, about 13.82 RU',
        '   └─ countOfCages  Keeper.countOfCages: snapshot, the count is stored',
        'expected  2 to 5 round trips in 1 to 3 waves, about 5.4 to 62.43 RU',
        'naive     2 to 172 round trips in 1 to 3 waves, about 5.4 to 219.3 RU',
        expect.stringMatching(/^· .*full lists/),
        expect.stringMatching(/^· .* 1 KB.*--store/),
        expect.stringMatching(/^· Round trips, waves and RU are those/),
      ],
    })
  })

  test('depends on the variables: an excluded field is not looked up', async () => {
    const { out } = await explain(list, { variables: '{"first": 10, "all": false}' })
    expect(out).toContainEqual(expect.stringContaining('Cage.keeper: snapshot, name is copied'))
    expect(out).toContain('expected  2 to 4 round trips in 1 to 3 waves, about 5.4 to 54.12 RU')
  })

  test('depends on how old snapshots may be, if they follow through the change feed', async () => {
    const { out } = await explain('{ cages { nodes { keeper { name } } } }', { maxStaleMs: '500' }, { QUIRE_EFFECTS: 'feed' })
    expect(out).toContainEqual(expect.stringContaining('Cage.keeper: lookup, the snapshot may be older than maxStaleMs allows'))
    expect(out).toContainEqual(expect.stringMatching(/change feed.* 1000 ms/))
    const { out: young } = await explain('{ cages { nodes { keeper { name } } } }', { maxStaleMs: '0' })
    expect(young).toContainEqual(expect.stringContaining('Cage.keeper: snapshot, name is copied'))
  })

  test('is exact if the store knows the length of a list', async () => {
    const { out } = await explain('{ keepers { nodes { name } } }', { store: true })
    expect(out.slice(1, 4)).toEqual([
      '└─ keepers  Query.keepers', '     wave 1: query over partitions in keepers, 3 documents, about 3.1 RU', 'expected  1 round trip in 1 wave, about 3.1 RU',
    ])
  })

  test('is one JSON object with --json', async () => {
    const { code, out } = await explainInProcess('query A { keeper(id: 1) { cages { totalCount } } } query B { keeper(id: 1) { name } }', '--json', '--operation', 'A')
    expect({ code, plan: JSON.parse(out.join('\n')) as unknown }).toMatchObject({
      code: 0,
      plan: {
        operation: { kind: 'query', name: 'A' },
        places: [{
          field: 'Query.keeper', from: null, calls: [{ call: 'point reads by key', container: 'keepers', wave: 1, keys: { least: 1, most: 1 } }],
          relations: [{ field: 'Keeper.cages', from: 'REFERENCE', calls: [{ call: 'count', container: 'cages', wave: 2 }], relations: [] }],
        }],
        expected: { roundTrips: { least: 1, most: 2 }, waves: { least: 1, most: 2 }, requestCharge: { least: 1, most: 3.9 } },
        naive: { roundTrips: { least: 1, most: 2 } },
        estimated: true,
      },
    })
  })

  test('of a mutation covers its answer', async () => {
    const { out } = await explain('mutation { updateCage(input: { id: "c", size: 2 }) { cage { keeper { born } } } }')
    expect(out.slice(0, 4)).toEqual([
      'mutation', '└─ updateCage.cage.keeper  Cage.keeper: lookup, born is not copied', '     wave 1: point reads by key in keepers, 1 document, about 1 RU',
      'expected  1 round trip in 1 wave, about 1 RU',
    ])
    expect(out).toContainEqual(expect.stringMatching(/writes of Mutation\.updateCage .*not counted/))
  })
})

describe('each mistake is one line with its location and a hint, and the exit code is 2:', () => {
  test.each([
    ['{ keepers { nodes { nam } } cages(firs: 1) { totalCount } }', {}, [
      'stdin:1:21: Cannot query field "nam" on type "Keeper". Did you mean "name"?', 'stdin:1:35: Unknown argument "firs" on field "Query.cages". Did you mean "first"?',
    ]],
    ['{ cages { nodes { xyzzy } } }', {}, ['stdin:1:19: Cannot query field "xyzzy" on type "Cage". It has id, size, keeper, diary, nodeId, etag.']],
    ['{ cages {', {}, ['stdin:1:10: Syntax Error: Expected Name, found <EOF>.']],
    ['query ($n: Int!) { cages(first: $n) { totalCount } }', {}, ['stdin:1:8: Variable "$n" of required type "Int!" was not provided. Give variables with --variables \'{"name": value}\'.']],
    ['query A { cages { totalCount } } query B { cages { totalCount } }', {}, ['stdin: The file has several operations: A, B. Choose one with --operation NAME.']],
    ['query A { cages { totalCount } }', { operation: 'C' }, ['stdin: The file has no operation C. It has A.']],
    ['{ cages(first: -1) { totalCount } }', {}, ['stdin: first is -1. Give a number from 0 to 1000.']],
    ['{ cages { totalCount } }', { variables: '[1]' }, ['--variables is [1]. Give a JSON object, such as \'{"first": 10}\'.']],
    ['{ cages { totalCount } }', { maxStaleMs: 'soon' }, ['--max-stale-ms is soon. Give a whole number of milliseconds.']],
  ])('%s', async (operation, options, err) => {
    expect(await explain(operation, options)).toEqual({ code: 2, out: [], err })
  })
})
