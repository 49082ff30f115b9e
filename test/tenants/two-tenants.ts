// Two tenants with equal ids and different contents, twice: together in a shared store, and each in a store of
// its own. Every operation must return the same in both.

import { buildASTSchema, parse, printSchema, visit, type GraphQLSchema } from 'graphql'
import { checkStore } from '../../src/evolve/check/check-store.ts'
import { documentPages } from '../../src/evolve/check/document-pages.ts'
import { readDeclaration, type Declaration } from '../../src/relations/declaration.ts'
import { servedSchema } from '../../src/plan/explain/explain.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { ownContainer } from '../../src/store/own-container.ts'
import { writeAll } from '../../src/store/write-all.ts'
import type { Json } from '../../src/model/json/json.ts'
import type { Store, StoredDocument, Write } from '../../src/store/store.ts'
import { TenantStore } from '../../src/store/tenants/tenant-store.ts'
import { openGateway, type Answer, type Ask } from '../harness.ts'
import type { Domain } from '../random/gateways.ts'
import { knownValues } from '../random/known-values.ts'
import { servedOrders } from '../random/served-orders.ts'
import { pageSize, type KnownValues } from '../random/random-arguments.ts'
import { byHeader, of } from './viewer-by-header.ts'

/** One name begins with the other, so that a comparison by prefix fails. */
export const tenants = ['a', 'a-b'] as const
export type Tenant = (typeof tenants)[number]

export interface Twin {
  readonly tenant: Tenant
  /** In the shared store, and in a store of its own. */
  readonly shared: Ask
  readonly alone: Ask
  /** All documents in both stores, as the tenant sees them. */
  readonly documents: () => Promise<[shared: object[], alone: object[]]>
  readonly findings: () => Promise<readonly string[]>
}

export interface TwoTenants {
  /** Without etags, which differ between stores. */
  readonly schema: GraphQLSchema
  readonly known: KnownValues
  /** The types whose new documents get a random partition. */
  readonly scattered: ReadonlySet<string>
  readonly twins: readonly Twin[]
  /** The same tenants and stores, through gateways with other options. */
  readonly openTwins: (options: Partial<GatewayOptions>) => Promise<readonly Twin[]>
  readonly close: () => Promise<void>
}

export async function openTwoTenants(domain: Domain, openStore: GatewayOptions['store']): Promise<TwoTenants> {
  const { typeDefs, derive, seed, ...rest } = domain
  const declaration = readDeclaration(typeDefs, derive)
  const tenanted = readDeclaration(typeDefs, derive, true)
  const options = { typeDefs, ...(derive ? { derive } : {}), ...rest, pageSizes: { default: pageSize }, openReads: true, openWrites: true }
  // Once, because some partitions are chosen at random.
  const seeded = seed!(declaration)
  const store = await openStore(tenanted.layout)
  const halves = await Promise.all(tenants.map(async (tenant) => {
    const own = await openStore(declaration.layout)
    await writeAll(own, seeded.map((write) => (tenant === tenants[0] ? write : changed(write))))
    // Repair updates the copies of what was changed.
    for await (const _ of checkStore(declaration, own, { repair: true }));
    const view = new TenantStore(store, tenant)
    await writeAll(view, (await allOf(declaration, own)).map(({ container, document: { key, body } }) => ({ kind: 'put', container, key, body })))
    return { tenant, own, view }
  }))
  const openTwins = async (extra: Partial<GatewayOptions> = {}): Promise<Twin[]> => {
    const shared = await openGateway({ ...options, ...extra, tenants: true, identity: byHeader, store: async () => store })
    return Promise.all(halves.map(async ({ tenant, own, view }): Promise<Twin> => ({
      tenant,
      alone: await openGateway({ ...options, ...extra, store: async () => own }),
      shared: Object.assign((query: string, asked: Parameters<Ask>[1] = {}) => shared(query, { ...asked, headers: { ...asked.headers, ...of(tenant) } }), { close: () => shared.close() }),
      documents: async () => [plainly(await allOf(declaration, view)), plainly(await allOf(declaration, own))],
      findings: async () => (await Array.fromAsync(checkStore(declaration, view))).map(({ sentence }) => sentence),
    })))
  }
  const twins = await openTwins()
  const schema = buildASTSchema(visit(parse(printSchema(servedSchema(declaration))), { FieldDefinition: ({ name }) => (name.value === 'etag' ? null : undefined) }))
  return {
    schema, twins, openTwins,
    scattered: new Set([...declaration.model.documents.values()].flatMap(({ name, partitionKey }) => (partitionKey.form === 'synthetic' && partitionKey.suffix?.form === 'random' ? [name] : []))),
    known: { ...(await knownValues(schema, twins[0]!.alone)), orders: servedOrders(declaration.model) },
    close: async () => {
      await Promise.all([twins[0]!.shared.close(), ...twins.map(({ alone }) => alone.close())])
    },
  }
}

/** What must be equal in two answers; costs are compared separately. */
export function shown({ data, errors }: Answer): string {
  return JSON.stringify({ data, errors })
}

async function allOf({ layout }: Declaration, store: Store): Promise<{ container: string; document: StoredDocument }[]> {
  const all = layout.filter(({ name }) => name !== ownContainer).map(async ({ name }) =>
    (await Array.fromAsync(documentPages(store, { container: name }))).flat().map((document) => ({ container: name, document })))
  return (await Promise.all(all)).flat()
}

function plainly(all: readonly { container: string; document: StoredDocument }[]): object[] {
  return all.map(({ container, document: { key, body } }) => ({ container, key, body: sorted(body) }))
}

/** Stores may keep properties in different orders. */
function sorted(value: Json | undefined): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, each]) => [name, sorted(each as Json)]))
}

/** The same document with other contents, so that the answers of two tenants differ. */
function changed(write: Write): Write {
  return write.kind === 'put' ? { ...write, body: readOtherwise(write.body) as typeof write.body } : write
}

const readable = new Set(['name', 'title', 'text', 'lastName', 'full-name', 'street', 'says', 'city', 'description'])

function readOtherwise(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((each) => readOtherwise(each as Json)!)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, readable.has(name) && typeof each === 'string' ? `${each} of the other` : readOtherwise(each as Json)!]))
}
