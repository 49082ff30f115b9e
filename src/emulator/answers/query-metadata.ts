// Queries over databases, containers and offers: a filter on the list, without partitions or pages.

import { jsonOf, type CosmosRequest } from '../http-messages.ts'
import { compileCondition } from '../sql/evaluate.ts'
import { parseQuery } from '../sql/parse.ts'

export function selectMetadata(request: CosmosRequest, all: readonly Record<string, unknown>[]): readonly Record<string, unknown>[] {
  const { where, root } = parseQuery(jsonOf(request))
  if (where === undefined) return all
  const condition = compileCondition(where, [root])
  return all.filter((each) => condition([each]) === true)
}
