// Whether one document meets the condition of a patch: FROM c WHERE …

import { compileCondition } from './evaluate.ts'
import { parseQuery } from './parse.ts'

export function meetsPatchCondition(document: Readonly<Record<string, unknown>>, condition: string): boolean {
  const { root, where } = parseQuery({ query: `SELECT * ${condition}` })
  return where === undefined || compileCondition(where, [root])([document]) === true
}
