// What a client sends to create a container: the parts of it that the emulator heeds. It keeps and returns everything else unread.

export interface ContainerDefinition {
  readonly id?: string
  readonly partitionKey?: PartitionKeyDefinition
  readonly indexingPolicy?: IndexingPolicy
  /** Seconds; -1 for documents that live until their own ttl says otherwise. */
  readonly defaultTtl?: number
}

export interface PartitionKeyDefinition {
  readonly paths: readonly string[]
  readonly kind?: string
  readonly version?: number
}

export interface IndexingPolicy {
  readonly indexingMode?: string
  readonly automatic?: boolean
  readonly includedPaths?: readonly { readonly path: string }[]
  readonly excludedPaths?: readonly { readonly path: string }[]
  readonly compositeIndexes?: readonly (readonly { readonly path: string; readonly order?: string }[])[]
}
