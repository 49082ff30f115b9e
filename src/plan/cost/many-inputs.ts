// How many documents a generated mutation writes: as many as it has inputs, which a list in the text or a variable gives. Part of what an
// operation costs, and of how many rows its answer has.

import { Kind } from 'graphql'
import { generatedMutationAt } from '../../model/api/generated-mutations.ts'
import type { Model } from '../../model/model.ts'
import type { PlanNode } from '../plan.ts'

/** 1 for every other field. */
export function inputsOf(model: Model, { coordinate, written }: PlanNode, variables: Record<string, unknown>): number {
  if (!generatedMutationAt(model, coordinate)?.many) return 1
  const value = written[0]!.arguments?.find(({ name }) => name.value === 'inputs')?.value
  if (value?.kind === Kind.LIST) return value.values.length
  const given = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined
  return Array.isArray(given) ? given.length : 1
}

/** Equal for requests of a mutation that write equally many documents in each of its fields. */
export function inputsName(model: Model, roots: Iterable<PlanNode>, variables: Record<string, unknown>): string {
  let name = ''
  for (const node of roots) if (generatedMutationAt(model, node.coordinate)?.many) name += ` x${inputsOf(model, node, variables)}`
  return name
}
