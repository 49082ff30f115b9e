// `quire-graphql/store`: the port, for a store of your own. `quire-graphql/testing/store` tests it.

export { ConflictError, InDoubtError, SetupError, StoreUnavailableError, TooLargeError } from '../store/store-errors.ts'
export type { MaybePromise } from '../store/maybe-promise.ts'
export type { Change, Changes, ContainerLayout, EachValue, FeedPoints, FeedPosition, FurtherOrder, IndexLayout, Lookup, Meter, Moment, Receipt, Store, StoredDocument, Supports, Write } from '../store/store.ts'
export type { Aggregated, Aggregation, Group, Measure, Measured } from '../store/aggregate/aggregation.ts'
export type { Comparison, Condition, Order, Path, Query, Selection, SomeElement } from '../store/query.ts'
export type { ComparisonOperator, Operand, Operands } from '../model/operators.ts'
export type { Position, Scalar } from '../model/keys/position.ts'
export type { Key, Partition, PartitionValue } from '../model/keys/key.ts'
