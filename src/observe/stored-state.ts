// What is to be told about the stored documents while a gateway serves: how far it has come with computing what they lack, and why a newer
// schema is not served. The process that serves sets it; metrics and pages read it.

export class StoredState {
  /** How many documents have been looked at, of how many; undefined while nothing is computed. */
  catchUp: { readonly documents: number; readonly total: number } | undefined
  /** A sentence for each difference between the stored documents and a schema that is therefore not served. */
  differences: readonly string[] = []
}
