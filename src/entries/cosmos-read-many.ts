// `quire-graphql/cosmos/read-many`: for programs that use the SDK of Cosmos DB themselves. It needs no schema and no gateway.

export { openReadMany, type ReadItemKey, type ReadItems, type ReadItemsOptions } from '../store/cosmos/read-many/open-read-many.ts'
export type { KeyValue } from '../store/cosmos/read-many/effective-key.ts'
export type { Item } from '../store/cosmos/read-many/items.ts'
export type { Found } from '../store/cosmos/read-many/read-many.ts'
