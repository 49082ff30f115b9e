// `quire-graphql/cosmos/read-many`: for programs that use the SDK of Cosmos DB themselves. It needs no schema and no gateway.

export { openReadMany, type ReadItems, type ReadItemsOptions } from '../store/cosmos/read-many/open-read-many.ts'
export type { Found, Item, ItemKey } from '../store/cosmos/read-many/read-many.ts'
