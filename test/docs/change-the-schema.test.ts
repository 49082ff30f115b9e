// The table of docs/change-the-schema.md: for each edit, what a gateway with the new schema answers over documents that were written
// under the old one, and what it answers after a repair.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openTestGateway } from '../../src/entries/testing.ts'
import { checkStore } from '../../src/evolve/check/check-store.ts'
import { confirmAll } from '../../src/evolve/confirm-all.ts'
import { MigrationNeededError } from '../../src/evolve/declared/migration-errors.ts'
import { applyMigration } from '../../src/evolve/migrate/apply-migration.ts'
import { planMigration, type Answers } from '../../src/evolve/migrate/plan-migration.ts'
import { createLog } from '../../src/observe/log/log.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import type { Derive } from '../../src/relations/kind.ts'
import type { DocumentsByType } from '../../src/serve/schema-folder/place-documents.ts'
import type { Store } from '../../src/store/store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'

interface Edit {
  readonly schemas: readonly [old: string, edited: string]
  readonly derive?: readonly [Derive, Derive]
  readonly documents: DocumentsByType
  readonly ask: string
  /** The answer before a repair: data, or the code of its error; `refused` if the schema is not served. */
  readonly answers: unknown
  /** After a repair, or after a migration if it was refused; the same if omitted. */
  readonly repaired?: unknown
  /** What a migration is told; without, it can do nothing. */
  readonly migrated?: Partial<Answers>
}

const lamp = (fields: string, more = ''): string => `type Lamp @document(container: "lamps") { id: ID! ${fields} } ${more}`
const maker = (fields = ''): string => `type Maker @document(container: "makers") { id: ID! name: String country: String ${fields} }`
const lamps = { Lamp: [{ id: 'l1', watts: 5, text: 'x' }] }
const withMaker = { Lamp: [{ id: 'l1', maker: { id: 'm1', name: 'North' } }], Maker: [{ id: 'm1', name: 'North', country: 'Norway' }] }
const byId = { ...withMaker, Lamp: [{ id: 'l1', maker: 'm1' }] }
const list = (fields: string): string => `{ lamps { nodes { ${fields} } } }`
const one = (fields: object): unknown => ({ lamps: { nodes: [fields] } })

const posts = (recent: number, size: number): string => `
  type Post @document(container: "posts", partitionKey: "/postId", type: "post") { id: ID! comments: CommentConnection! @bucketed(at: "newest", recent: ${recent}, size: ${size}, key: "postId", type: "comments") }
  type Comment { id: ID! }`
const comments = Array.from({ length: 12 }, (_, number) => ({ id: `c${number}`, number }))

const edits: Readonly<Record<string, Edit>> = {
  'add a nullable field': { schemas: [lamp('watts: Int'), lamp('watts: Int colour: String')], documents: lamps, ask: list('watts colour'), answers: one({ watts: 5, colour: null }) },
  'add a list or a reference': {
    schemas: [lamp('watts: Int'), lamp('parts: [Lamp!]! @reference(at: "parts") spare: Lamp @reference(at: "spareId") notes: [Note!]! @contained(max: 3)', 'type Note { text: String }')],
    documents: lamps, ask: list('parts { id } spare { id } notes { text }'), answers: one({ parts: [], spare: null, notes: [] }),
  },
  'add a required field': { schemas: [lamp('watts: Int'), lamp('watts: Int colour: String!')], documents: lamps, ask: list('colour'), answers: 'refused', migrated: { defaults: new Map([['Lamp.colour', 'red']]) }, repaired: one({ colour: 'red' }) },
  'remove a field or a type': { schemas: [lamp('watts: Int', maker()), lamp('text: String')], documents: lamps, ask: list('text'), answers: one({ text: 'x' }) },
  'add `@indexed`': { schemas: [lamp('watts: Int'), lamp('watts: Int @indexed')], documents: lamps, ask: '{ lamps(filter: { watts: { eq: 5 } }) { totalCount } }', answers: { lamps: { totalCount: 1 } } },
  'remove `@indexed`': { schemas: [lamp('watts: Int @indexed'), lamp('watts: Int')], documents: lamps, ask: list('watts'), answers: one({ watts: 5 }) },
  'rename a field': { schemas: [lamp('watts: Int @indexed'), lamp('power: Int @indexed @stored(at: "watts")')], documents: lamps, ask: '{ lamps(filter: { power: { eq: 5 } }) { nodes { power } } }', answers: one({ power: 5 }) },
  'rename a type': { schemas: [lamp('watts: Int'), 'type Light @document(container: "lamps", plural: "lamps") { id: ID! watts: Int }'], documents: lamps, ask: list('watts'), answers: one({ watts: 5 }) },
  'add a field to `@snapshot(fields:)`': {
    schemas: [lamp('maker: Maker @snapshot(at: "maker", fields: ["name"])', maker()), lamp('maker: Maker @snapshot(at: "maker", fields: ["name", "country"])', maker())],
    documents: withMaker, ask: list('maker { name country }'), answers: one({ maker: { name: 'North', country: 'Norway' } }),
  },
  'remove a field from `@snapshot(fields:)`': {
    schemas: [lamp('maker: Maker @snapshot(at: "maker", fields: ["name", "country"])', maker()), lamp('maker: Maker @snapshot(at: "maker", fields: ["country"])', maker())],
    documents: { ...withMaker, Lamp: [{ id: 'l1', maker: { id: 'm1', name: 'North', country: 'Norway' } }] }, ask: list('maker { name country }'), answers: one({ maker: { name: 'North', country: 'Norway' } }),
  },
  'turn `@snapshot` into `@reference`': {
    schemas: [lamp('maker: Maker @snapshot(at: "maker", fields: ["name"])', maker()), lamp('maker: Maker @reference(at: "maker")', maker())],
    documents: withMaker, ask: list('maker { name }'), answers: 'refused', migrated: {}, repaired: one({ maker: { name: 'North' } }),
  },
  'turn `@reference` into `@snapshot`': {
    schemas: [lamp('maker: Maker @reference(at: "maker")', maker('lamps: LampConnection! @reverse(of: "Lamp.maker")')), lamp('maker: Maker @snapshot(at: "maker", fields: ["name"])', maker('lamps: LampConnection! @reverse(of: "Lamp.maker")'))],
    documents: byId, ask: '{ lamps { nodes { maker { name lamps { totalCount } } } } }', answers: 'refused', migrated: {}, repaired: one({ maker: { name: 'North', lamps: { totalCount: 1 } } }),
  },
  'add `@counted`': {
    schemas: [lamp('maker: Maker @reference(at: "maker")', maker('lamps: LampConnection! @reverse(of: "Lamp.maker")')), lamp('maker: Maker @reference(at: "maker")', maker('lamps: LampConnection! @reverse(of: "Lamp.maker") count: Int! @counted(relation: "lamps") @indexed'))],
    documents: byId, ask: '{ makers { nodes { count } } counted: makers(filter: { count: { eq: 1 } }) { totalCount } }', answers: { makers: { nodes: [{ count: 1 }] }, counted: { totalCount: 1 } },
  },
  'add `@aggregated`': {
    schemas: [lamp('watts: Int maker: Maker @reference(at: "maker")', maker('lamps: LampConnection! @reverse(of: "Lamp.maker")')), lamp('watts: Int maker: Maker @reference(at: "maker")', maker('lamps: LampConnection! @reverse(of: "Lamp.maker") most: Int @aggregated(relation: "lamps", field: "watts", function: MAX) @indexed'))],
    documents: { ...byId, Lamp: [{ id: 'l1', maker: 'm1', watts: 40 }] }, ask: '{ makers { nodes { most } } strong: makers(filter: { most: { gt: 30 } }) { totalCount } }', answers: { makers: { nodes: [{ most: 40 }] }, strong: { totalCount: 1 } },
  },
  'add `inverseOf`': {
    schemas: [lamp('makers: [Maker!]! @reference(at: "makers")', maker()), lamp('makers: [Maker!]! @reference(at: "makers")', maker('lamps: [Lamp!]! @reference(at: "lamps", inverseOf: "Lamp.makers")'))],
    documents: { ...withMaker, Lamp: [{ id: 'l1', makers: ['m1'] }] }, ask: '{ makers { nodes { lamps { id } } } }', answers: { makers: { nodes: [{ lamps: [{ id: 'l1' }] }] } },
  },
  'change a function of `derive`': {
    schemas: [lamp('maker: Maker @snapshot(at: "maker", fields: ["label"])', maker('label: String @derived')), lamp('maker: Maker @snapshot(at: "maker", fields: ["label"])', maker('label: String @derived'))],
    derive: [{ Maker: { label: () => 'old' } }, { Maker: { label: () => 'new' } }],
    documents: { ...withMaker, Lamp: [{ id: 'l1', maker: { id: 'm1', label: 'old' } }] },
    ask: '{ lamps { nodes { maker { label } } } makers { nodes { label } } }', answers: { ...(one({ maker: { label: 'old' } }) as object), makers: { nodes: [{ label: 'new' }] } }, repaired: { ...(one({ maker: { label: 'new' } }) as object), makers: { nodes: [{ label: 'new' }] } },
  },
  'change `recent` or `size` of `@bucketed`': {
    schemas: [posts(3, 5), posts(3, 9)],
    documents: {
      Post: [{ id: 'p1', commentsCount: 12, newest: comments.slice(9).toReversed() }],
      posts: [{ id: 'p1.comments.0', postId: 'p1', type: 'comments', entries: comments.slice(0, 5) }, { id: 'p1.comments.1', postId: 'p1', type: 'comments', entries: comments.slice(5, 9) }],
    },
    ask: '{ post(id: "p1") { comments(first: 20) { nodes { id } } } }',
    answers: 'refused', migrated: {},
    repaired: { post: { comments: { nodes: comments.toReversed().map(({ id }) => ({ id })) } } },
  },
  'change a number to `String`': { schemas: [lamp('watts: Int @indexed'), lamp('watts: String @indexed')], documents: lamps, ask: '{ lamps { nodes { watts } } found: lamps(filter: { watts: { eq: "5" } }) { totalCount } }', answers: 'refused', migrated: {}, repaired: { ...(one({ watts: '5' }) as object), found: { totalCount: 1 } } },
  'change text to a number': { schemas: [lamp('text: String'), lamp('text: Int')], documents: lamps, ask: list('text'), answers: 'refused' },
  'change `at` of a stored relation': { schemas: [lamp('maker: Maker @reference(at: "maker")', maker()), lamp('maker: Maker @reference(at: "makerId")', maker())], documents: byId, ask: list('maker { name }'), answers: 'refused', migrated: {}, repaired: one({ maker: { name: 'North' } }) },
  'change `container` or `type`': { schemas: [lamp('watts: Int'), lamp('watts: Int').replace('"lamps"', '"lights"')], documents: lamps, ask: list('watts'), answers: 'refused', migrated: {}, repaired: one({ watts: 5 }) },
  'change `partitionKey`': {
    schemas: [lamp('watts: Int text: String'), lamp('watts: Int text: String').replace('"lamps"', '"lamps", partitionKey: "/text"')],
    documents: lamps, ask: '{ lamps { nodes { watts } } lamp(id: "l1", text: "x") { watts } }', answers: 'refused', migrated: {}, repaired: { lamps: { nodes: [{ watts: 5 }] }, lamp: { watts: 5 } },
  },
}

const folder = mkdtempSync(join(tmpdir(), 'quire-edits-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the page has a row for each of these edits', () => {
  const rows = readFileSync('docs/change-the-schema.md', 'utf8').split('\n').filter((line) => line.startsWith('| ')).map((line) => line.slice(2).split(' | ')[0]!)
  expect(rows.filter((row) => Object.keys(edits).some((edit) => row.startsWith(edit)))).toHaveLength(Object.keys(edits).length)
})

describe('an edit over existing documents', () => {
  test.each(Object.entries(edits))('%s', async (name, { schemas: [old, edited], derive: [oldDerive, derive] = [{}, {}], documents, ask, answers, repaired = answers, migrated }) => {
    const store = (layout: Parameters<typeof openSqliteStore>[1]) => openSqliteStore(join(folder, `${Object.keys(edits).indexOf(name)}.db`), layout)
    const answer = async (options: Partial<Parameters<typeof openTestGateway>[0]>, query: string): Promise<unknown> => {
      let opened: Store | undefined
      const gateway = await openTestGateway({ store: async (layout) => (opened = await store(layout)), log: createLog({ level: 'silent', readable: false }), ...options }).catch(async (error: unknown) => {
        await opened?.close()
        if (error instanceof MigrationNeededError) return undefined
        throw error
      })
      if (!gateway) return 'refused'
      const { data, errors } = await gateway.ask(query)
      await gateway.close()
      return errors?.[0]?.extensions?.code ?? data
    }
    await answer({ typeDefs: old, derive: oldDerive, documents }, '{ __typename }')
    expect(await answer({ typeDefs: edited, derive }, ask)).toEqual(answers)
    const declaration = readDeclaration(edited, derive)
    const opened = await store(declaration.layout)
    if (answers === 'refused') {
      const given = { renamed: new Map(), dropped: new Set<string>(), defaults: new Map(), ...migrated }
      const steps = await planMigration(declaration, opened, given, store)
      expect(steps.length).toBeGreaterThan(0)
      const applied = applyMigration(declaration, opened, steps, given, { keep: () => {}, openWith: store })
      if (migrated) await applied
      else await expect(applied).rejects.toThrow(/Nothing was changed/)
    } else {
      const found = await Array.fromAsync(checkStore(declaration, opened, { repair: true }))
      expect(found.filter(({ repair }) => repair !== 'done')).toEqual([])
      await confirmAll(declaration, opened)
    }
    await opened.close()
    expect(await answer({ typeDefs: edited, derive }, ask)).toEqual(repaired)
  })
})
