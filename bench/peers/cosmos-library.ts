// The library in Cosmos DB, as a team would read it with the SDK: a point read for one document, one `IN` query for many. The SDK asks the
// physical partitions of such a query in parallel with `forceQueryPlan`, and its pages are large enough to take one request each.

import { CosmosClient, type Container, type FeedOptions, type SqlQuerySpec } from '@azure/cosmos'
import type { AuthorDocument, BookDocument, PublisherDocument } from './documents.ts'

export type ReadByIds<D> = (ids: readonly string[]) => Promise<(D | undefined)[]>

export interface CosmosLibrary {
  readonly books: ReadByIds<BookDocument>
  readonly authors: ReadByIds<AuthorDocument>
  readonly publishers: ReadByIds<PublisherDocument>
  /** The first books, ordered by id. */
  readonly firstBooks: (first: number) => Promise<BookDocument[]>
}

export function cosmosLibrary({ COSMOS_ENDPOINT: endpoint, COSMOS_KEY: key, COSMOS_DATABASE: name = 'quire' }: NodeJS.ProcessEnv): CosmosLibrary {
  if (!endpoint || !key) throw new Error('No documents to serve: set COSMOS_ENDPOINT and COSMOS_KEY.')
  // The SDK's own agent keeps connections open.
  const client = new CosmosClient({ endpoint, key, connectionPolicy: { enableEndpointDiscovery: false } })
  const database = client.database(name)
  const books = database.container('books')
  return {
    books: readerOf(books),
    authors: readerOf(database.container('authors')),
    publishers: readerOf(database.container('publishers')),
    firstBooks: (first) => all(books, {
      query: 'SELECT TOP @first * FROM c WHERE NOT IS_DEFINED(c["_gone"]) AND c["type"] = @type ORDER BY c["id"] ASC',
      parameters: [{ name: '@first', value: first }, { name: '@type', value: 'book' }],
    }, first),
  }
}

/** In all three containers the partition key of a document is its id. */
function readerOf<D extends { readonly id: string }>(container: Container): ReadByIds<D> {
  return async (ids) => {
    const [id] = ids
    if (id !== undefined && ids.length === 1) return [(await container.item(id, id).read<D>()).resource]
    const found = await all<D>(container, {
      query: `SELECT * FROM c WHERE c["id"] IN (${ids.map((_, at) => `@p${at}`).join(', ')})`,
      parameters: ids.map((value, at) => ({ name: `@p${at}`, value })),
    }, ids.length)
    const documentById = new Map(found.map((document) => [document.id, document]))
    return ids.map((each) => documentById.get(each))
  }
}

async function all<D>(container: Container, query: SqlQuerySpec, limit: number): Promise<D[]> {
  const options: FeedOptions = { forceQueryPlan: true, maxDegreeOfParallelism: -1, maxItemCount: limit }
  return (await container.items.query<D>(query, options).fetchAll()).resources
}
