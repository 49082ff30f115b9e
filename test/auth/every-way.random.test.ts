// No query reveals a document that the viewer cannot see: every answer, with cost report and errors, is byte for byte the one
// that a store without the document (or with another one in its place) gives. The queries are found by walking the schema.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readDeclaration } from '../../src/relations/declaration.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { Rules } from '../../src/auth/rules.ts'
import { derive } from '../../schema/library/derive.ts'
import { resolvers as libraryResolvers } from '../../schema/library/resolvers.ts'
import { allFields } from '../../src/model/model.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { everyHowMany, triesAll } from '../fast-check.ts'
import { stores } from '../harness.ts'
import * as diaries from './diaries.ts'
import * as library from './small-brokerage.ts'
import { probesOf, type Probe } from './probes.ts'
import { listening, openWorld, saidIn, type Answer, type Domain, type Viewers, type World } from './world.ts'

interface Case {
  readonly name: string
  readonly domain: Domain
  /** The same without rules. */
  readonly openDomain: Domain
  readonly viewers: Viewers
  /** A viewer who owns documents, and cannot see those of others. */
  readonly owner: string
  /** Words in the texts and ids of documents that only this viewer may see. */
  readonly marks: Readonly<Record<string, string>>
}

const diaryResolvers = diaries.resolversWith({ Query: { secretOfTheDay: () => 'Nothing is secret', anyDiary: () => null } })
const cases: readonly Case[] = [
  {
    name: 'a schema with every kind of relation', viewers: diaries.viewers, owner: 'bob', marks: { ada: 'ada', bob: 'bob', auditor: 'max' },
    domain: { typeDefs: diaries.typeDefs, documents: diaries.documents, resolvers: diaryResolvers },
    openDomain: { typeDefs: diaries.openTypeDefs, documents: diaries.documents, resolvers: diaryResolvers },
  },
  {
    name: 'the shipped schema', viewers: library.viewers, owner: 'bob', marks: { ada: 'ada', bob: 'bob' },
    domain: { typeDefs: readSdlFolder('schema/library'), documents: library.documents, derive, resolvers: libraryResolvers },
    openDomain: { typeDefs: library.withoutRules(readSdlFolder('schema/library')), documents: library.documents, derive, resolvers: libraryResolvers },
  },
]

const tracing = { 'quire-trace': '1' }
const timeoutMs = 120_000

for (const { name, domain, openDomain, viewers, owner, marks } of cases) {
  describe(name, () => {
    const probes = probesOf({ ...domain, depth: 1 })

    describe.each(Object.keys(viewers))('for %s', (who) => {
      let [full, reduced, unruled]: World[] = []
      beforeAll(async () => {
        ;[full, reduced, unruled] = await Promise.all([
          openWorld(domain, viewers, openMemoryStore), openWorld(domain, viewers, openMemoryStore, { without: who }), openWorld(domain, viewers, openMemoryStore, { without: who, openReads: true, openWrites: true }),
        ])
      })
      afterAll(async () => {
        await Promise.all([full, reduced, unruled].map((world) => world!.close()))
      })

      test('hidden documents look missing, and all others are there', async () => {
        let [answered, refused] = [0, 0]
        const tried = everyNth(probes, who === owner ? (triesAll ? 1 : 2) : Math.min(12, everyHowMany(12)))
        for (const { query } of tried) {
          const quickly = await full!.ask(query, who)
          showsNothingOf(quickly, query, who, marks)
          if (isRefused(quickly)) {
            refused++
            continue
          }
          const [traced, missing] = [await full!.ask(query, who, tracing), await reduced!.ask(query, who, tracing)]
          expect(said(traced, query), query).toBe(said(missing, query))
          expect(withoutEtags(traced.data), query).toEqual(withoutEtags(quickly.data))
          showsNothingOf(traced, query, who, marks)
          if (quickly.errors) continue
          expect(withoutEtags(quickly.data), query).toEqual(withoutEtags((await unruled!.ask(lookingUp(query), who)).data))
          answered++
        }
        expect(answered).toBeGreaterThan(tried.length / 40)
        expect(refused).toBeGreaterThan(who === 'nobody' ? tried.length / 20 : 0)
      }, timeoutMs)
    })

    // Otherwise the tests above would show nothing.
    test.runIf(triesAll)('without rules, each of the same queries does show them', async () => {
      const [full, reduced] = await Promise.all([openWorld(openDomain, viewers, openMemoryStore, { openWrites: true }), openWorld({ ...openDomain, documents: await seenBy(domain, viewers, owner) }, viewers, openMemoryStore, { openWrites: true })])
      const telling = new Set<string>()
      for (const { query, through } of probes) {
        const [all, some] = [await full.ask(lookingUp(query), owner), await reduced.ask(lookingUp(query), owner)]
        if (saidIn(all) !== saidIn(some)) for (const step of through) telling.add(step)
      }
      expect([...leadingToOthers(domain, viewers, owner, probes)].filter((step) => !telling.has(step))).toEqual([])
      await Promise.all([full.close(), reduced.close()])
    }, timeoutMs)

    describe.each<{ name: string; store: GatewayOptions['store']; options: Partial<GatewayOptions>; reports: boolean }>([
      ...stores.filter((store) => store.name !== 'memory').map((store) => ({ ...store, options: {}, reports: store.name !== 'cosmos' })),
      { name: 'memory, with GraphQL.js alone', store: openMemoryStore, options: { compiles: false }, reports: true },
      { name: 'memory, naive', store: openMemoryStore, options: { strategy: 'naive' }, reports: true },
    ])('on $name', ({ name: storeName, store, options, reports }) => {
      // A sample of the queries.
      const some = everyNth(probes, everyHowMany(storeName === 'cosmos' ? 17 : 5))

      test('hidden documents look missing', async () => {
        const [full, reduced] = await Promise.all([openWorld(domain, viewers, store, options), openWorld(domain, viewers, store, { ...options, without: owner })])
        for (const { query } of some) {
          const [present, missing] = [await full.ask(query, owner, reports ? tracing : {}), await reduced.ask(query, owner, reports ? tracing : {})]
          expect(said(present, query), query).toBe(said(missing, query))
          showsNothingOf(present, query, owner, marks)
        }
        await Promise.all([full.close(), reduced.close()])
      }, timeoutMs)
    })

    test('the fast path answers like Yoga, however often and whichever viewer asked before', async () => {
      const world = await openWorld(domain, viewers, openMemoryStore)
      const { ask, close } = await listening(world, viewers)
      for (const { query } of everyNth(probes.filter(({ query: text }) => text.startsWith('query')), everyHowMany(19))) {
        for (const who of [...Object.keys(viewers), ...Object.keys(viewers)]) {
          const [fast, yoga] = [await ask(query, who), await world.ask(query, who)]
          expect(withoutEtags(JSON.parse(fast)), `${who}: ${query}`).toEqual(withoutEtags(JSON.parse(yoga.text)))
        }
      }
      close()
      await world.close()
    }, timeoutMs)
  })
}

function everyNth<T>(all: readonly T[], n: number): T[] {
  return all.filter((_, index) => index % Math.ceil(n) === 0)
}

/** Refused as a whole, before anything ran. */
function isRefused({ errors }: Answer): boolean {
  return errors !== undefined && errors.every(({ path, extensions: { code } }) => path === undefined && (code === 'UNAUTHENTICATED' || code === 'FORBIDDEN'))
}

/** The cost of a mutation includes its effects on hidden documents, so it is not compared. */
function said(answer: Answer, query: string): string {
  const { data, errors } = JSON.parse(saidIn(answer)) as Answer
  return query.startsWith('mutation') ? JSON.stringify({ data, errors }) : saidIn(answer)
}

function showsNothingOf({ text }: Answer, query: string, who: string, marks: Case['marks']): void {
  if (who === 'support' || who === 'broker') return
  for (const [whose, mark] of Object.entries(marks)) {
    // The answer may quote the query.
    if (whose !== who && !query.includes(mark) && !/nodeId/.test(query)) expect(text, query).not.toMatch(new RegExp(`\\b${mark}\\b`))
  }
}

function lookingUp(query: string): string {
  return query.replace(/^(query|mutation)/, '$1 @read(from: REFERENCE)')
}

function withoutEtags(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data ?? null), (key, value: unknown) => (key === 'etag' ? '' : value))
}

async function seenBy({ typeDefs, derive: functions, documents }: Domain, viewers: Viewers, who: string) {
  const { model } = readDeclaration(typeDefs, functions)
  const access = new Rules({ model, reads: true, writes: true, identifies: true }).accessOf(viewers[who])!
  return Object.fromEntries(Object.entries(documents).map(([name, bodies]) => [name, bodies.filter((body) => access.sees(model.documents.get(name)!, body))]))
}

/** Every step of a probe that could lead to documents of others. */
function leadingToOthers({ typeDefs, derive: functions }: Domain, viewers: Viewers, who: string, probes: readonly Probe[]): Set<string> {
  const { model } = readDeclaration(typeDefs, functions)
  const access = new Rules({ model, reads: true, writes: true, identifies: true }).accessOf(viewers[who])!
  const protectedTypes = [...model.documents.values()].filter((type) => access.reading(type) !== 'free')
  const names = new Set([
    ...allFields(model).filter((field) => model.documents.has(field.target) || field.storage.kind === 'counted').filter((field) => access.seeing(field) !== 'free' && field.name !== 'countOfFeatured').map(({ coordinate }) => coordinate),
    ...protectedTypes.flatMap(({ name, singular, plural }) => [`Query.${singular}`, `Query.${plural}`, `Node ${name}`, `Mutation.update${name}`, `Update${name}Payload.${singular}`, `${name}Connection.nodes`, `${name}Connection.totalCount`, `${name}Edge.node`]),
  ])
  const walked = new Set(probes.flatMap(({ through }) => through))
  return new Set([...names].filter((name) => walked.has(name) || !/(Connection|Edge)\./.test(name)))
}
