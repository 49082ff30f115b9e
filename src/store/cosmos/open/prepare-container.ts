// Creates or checks a container before it is served. It indexes only the paths that the schema's queries use, since every
// index term adds to the cost of a write.

import type { Container, ContainerDefinition, Database, IndexingPolicy, PartitionKeyDefinition } from '@azure/cosmos'
import { isId, type Path } from '../../query.ts'
import { SetupError } from '../../store-errors.ts'
import type { ContainerLayout, IndexLayout } from '../../store.ts'
import { checkTenanted, tenantPath } from '../../tenants/check-tenanted.ts'
import { WriteMarks } from '../write/write-marks.ts'
import { tombstoneProperty } from '../documents.ts'
import { indexesBuilt, percentBuilt } from './indexes-built.ts'
import { sdkItems, type Items } from '../read-many/items.ts'
import { PhysicalPartitions } from '../read-many/physical-partitions.ts'
import { createItems, type Account } from '../request/item-requests.ts'

export interface CosmosContainer {
  readonly layout: ContainerLayout
  readonly container: Container
  readonly rid: string
  /** Reads documents of it. */
  readonly items: Items
  readonly partitions: PhysicalPartitions
  readonly marks: WriteMarks
}

/** The container as it is, whatever indexes it lacks; undefined if there is none. */
export async function findContainer(database: Database, layout: ContainerLayout, account: Account): Promise<CosmosContainer | undefined> {
  const found = await readDefinition(database, layout.name)
  if (!found) return undefined
  checkPartitionKey(layout, found.definition)
  return opened(database, layout, found.definition, account)
}

/** Creates the container and adds missing indexes, if `create` allows it, and waits until they can be used. Never removes anything. */
export async function prepareContainer(database: Database, layout: ContainerLayout, create: boolean, account: Account): Promise<CosmosContainer> {
  const container = database.container(layout.name)
  const found = await readDefinition(database, layout.name)
  const definition = found?.definition ?? (await createContainer(database, layout, create))
  checkPartitionKey(layout, definition)
  const changed = await addMissing(database, layout, definition, create)
  // Perhaps another gateway, or another program, has changed them.
  if (changed || found?.indexing) await indexesBuilt(container)
  return opened(database, layout, definition, account)
}

async function opened(database: Database, layout: ContainerLayout, definition: ContainerDefinition, account: Account): Promise<CosmosContainer> {
  const container = database.container(layout.name)
  const partitions = new PhysicalPartitions(container, definition.partitionKey as PartitionKeyDefinition)
  await partitions.all()
  const { _rid: rid } = definition as ContainerDefinition & { readonly _rid: string }
  return { layout, container, rid, items: createItems(account, database.id, layout.name, sdkItems(container)), partitions, marks: new WriteMarks() }
}

async function readDefinition(database: Database, name: string): Promise<{ definition: ContainerDefinition; indexing: boolean } | undefined> {
  try {
    const response = await database.container(name).read({ populateQuotaInfo: true })
    return { definition: response.resource!, indexing: percentBuilt(response) < 100 }
  } catch (error) {
    if ((error as { code?: unknown }).code === 404) return undefined
    throw error
  }
}

async function createContainer(database: Database, layout: ContainerLayout, create: boolean): Promise<ContainerDefinition> {
  const how = `Create it with the partition key ${pathsText(layout.partitionKey)}`
  if (!create) throw new SetupError(`The container "${layout.name}" is missing in the database "${database.id}". ${how}, or let Quire create it (COSMOS_CREATE=yes).`)
  try {
    const { resource } = await database.containers.createIfNotExists({
      id: layout.name,
      partitionKey: { paths: layout.partitionKey.map(cosmosPath), kind: layout.partitionKey.length > 1 ? 'MultiHash' : 'Hash', version: 2 } as PartitionKeyDefinition,
      indexingPolicy: indexingPolicy(layout),
      // Tombstones have a time to live of their own; nothing else expires.
      ...(layout.followed ? { defaultTtl: -1 } : {}),
    })
    return resource!
  } catch (error) {
    const { code } = error as { code?: unknown }
    // Another gateway that started at the same time has created it.
    if (code === 409) return (await readDefinition(database, layout.name))!.definition
    if (code !== 403) throw error
    throw new SetupError(`The container "${layout.name}" is missing in the database "${database.id}", and this identity may not create it. ${how}.`)
  }
}

function checkPartitionKey({ name, partitionKey, tenanted = false }: ContainerLayout, { partitionKey: found }: ContainerDefinition): void {
  const foundPaths = found?.paths ?? []
  const wanted = partitionKey.map(cosmosPath)
  checkTenanted(name, foundPaths[0] !== undefined && plainPath(foundPaths[0]) === cosmosPath(tenantPath), tenanted)
  if (foundPaths.map(plainPath).join() === wanted.map(plainPath).join()) return
  throw new SetupError(`The container "${name}" has the partition key ${foundPaths.join(', ')}, and the schema declares ${wanted.join(', ')}. Declare the container's partitionKey in the schema, or move the documents to a container with the declared one.`)
}

/** Returns whether the container was changed. */
async function addMissing(database: Database, layout: ContainerLayout, definition: ContainerDefinition, create: boolean): Promise<boolean> {
  const merged = mergedPolicy(definition.indexingPolicy ?? {}, indexingPolicy(layout))
  const hasTtl = !layout.followed || definition.defaultTtl !== undefined
  if (!merged && hasTtl) return false
  const change = { ...definition, ...(merged ? { indexingPolicy: merged } : {}), ...(hasTtl ? {} : { defaultTtl: -1 }) }
  const lacks = `The container "${layout.name}" lacks ${[...(merged ? ['indexes that the schema needs'] : []), ...(hasTtl ? [] : ['a time to live (-1: on, no default)'])].join(' and ')}`
  if (!create) throw new SetupError(`${lacks}. Give it the indexing policy ${JSON.stringify(change.indexingPolicy)}, or let Quire do it (COSMOS_CREATE=yes).`)
  try {
    await database.container(layout.name).replace(change)
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code !== 403) throw error
    throw new SetupError(`${lacks}, and this identity may not add them. Give it the indexing policy ${JSON.stringify(change.indexingPolicy)}.`)
  }
}

/**
 * Indexes only the listed paths. An order by a value and then by id needs a composite index. So does an order by several, and each
 * part of it: documents without some of the values are ordered by the others.
 */
export function indexingPolicy({ partitionKey, indexes, followed, tenanted }: ContainerLayout): IndexingPolicy {
  const found = indexes.flatMap(({ equals, orderBy, thenBy = [] }) => [...(equals ? [equals] : []), ...(orderBy ? [orderBy] : []), ...thenBy.map(({ path }) => path)])
  const typed = indexes.some(({ type }) => type !== undefined)
  // The id is always indexed, and a policy that names it may come back without it.
  const needed = [...partitionKey, ...(typed ? [['type']] : []), ...(followed ? [[tombstoneProperty]] : []), ...found].filter((path) => !isId(path))
  const paths = new Set(needed.map((path) => `${cosmosPath(path)}/?`))
  const orders = [...(tenanted ? [{ orderBy: tenantPath }] : []), ...indexes].flatMap(compositesFor)
  return {
    indexingMode: 'consistent',
    automatic: true,
    includedPaths: [...paths].map((path) => ({ path })),
    excludedPaths: [{ path: '/*' }],
    compositeIndexes: [...new Map(orders.map((composite) => [compositeText(composite), composite])).values()],
  }
}

function compositesFor({ orderBy, thenBy = [] }: Pick<IndexLayout, 'orderBy' | 'thenBy'>): Composite[] {
  if (!orderBy || isId(orderBy)) return []
  const values: Composite = [{ path: cosmosPath(orderBy), order: 'ascending' }, ...thenBy.map(({ path, isOpposite }) => ({ path: cosmosPath(path), order: isOpposite ? 'descending' as const : 'ascending' as const }))]
  const parts: Composite[] = [[]]
  for (const value of values) parts.push(...parts.map((some) => [...some, value]))
  return parts.filter((some) => some.length > 0).map((some) => [...some, { path: '/id', order: 'ascending' }])
}

type Composite = NonNullable<IndexingPolicy['compositeIndexes']>[number]

/** The found policy with what is missing in it; undefined if nothing is. */
function mergedPolicy(found: IndexingPolicy, needed: IndexingPolicy): IndexingPolicy | undefined {
  const included = found.includedPaths ?? []
  const composites = found.compositeIndexes ?? []
  const everything = included.some(({ path }) => path === '/*')
  const paths = everything ? [] : needed.includedPaths!.filter(({ path }) => !included.some((one) => plainPath(one.path) === plainPath(path)))
  const orders = needed.compositeIndexes!.filter((order) => !composites.some((one) => compositeText(one) === compositeText(order)))
  if (paths.length === 0 && orders.length === 0) return undefined
  return { ...found, includedPaths: [...included, ...paths], compositeIndexes: [...composites, ...orders] }
}

function compositeText(composite: Composite): string {
  return composite.map(({ path, order }) => `${plainPath(path)} ${order}`).join()
}

/** `['tags', '*', 'id']` → `/tags/[]/id`, with quotes around names that need them. */
export function cosmosPath(path: Path): string {
  return path.map((name) => (name === '*' ? '/[]' : /^[A-Za-z_]\w*$/.test(name) ? `/${name}` : `/"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`)).join('')
}

function plainPath(path: string): string {
  return path.replaceAll('"', '')
}

function pathsText(paths: readonly Path[]): string {
  return paths.map(cosmosPath).join(', ')
}
