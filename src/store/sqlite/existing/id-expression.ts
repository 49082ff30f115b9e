// The id of a row of a table that was found, in SQL.

export interface IdColumns {
  /** The column that holds whole documents; undefined if a row is one. */
  readonly body: string | undefined
  /** The column that tells rows apart. */
  readonly idColumn: string
  /** Whether it is a container of Quire's. */
  readonly isOwn: boolean
}

/** Only Quire's ids are always text. */
export function idExpression({ isOwn, body, idColumn }: IdColumns): string {
  if (isOwn) return 'id'
  return `CAST(${body === undefined ? quoted(idColumn) : `coalesce(json_extract(${quoted(body)}, '$.id'), ${quoted(idColumn)})`} AS TEXT)`
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
