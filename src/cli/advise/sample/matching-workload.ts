// The part of a recorded workload that fits this schema. The rest is named and left out.

import { parse, validate, type GraphQLSchema } from 'graphql'
import type { Declaration } from '../../../relations/declaration.ts'
import { fieldAt } from '../../../model/model.ts'
import type { RecordedOperation, Workload } from '../../../observe/workload/workload.ts'
import { operationText, unknownFields } from '../replay/operation-text.ts'

export interface MatchingPart {
  readonly workload: Workload
  /** Types and fields that this schema does not have, or has with another meaning. */
  readonly unknown: readonly string[]
}

export function matchWorkload(workload: Workload, schema: GraphQLSchema, declaration: Declaration): MatchingPart {
  const { model } = declaration
  const isKnown = (coordinate: string) => fieldAt(model, coordinate) !== undefined
  const unsupportedIn = new Map(workload.operations.map((operation) => [operation, unsupportedFields(operation, schema, declaration)]))
  const unsupported = [...unsupportedIn.values()].flat()
  const unknown = [...unsupported, ...Object.keys(workload.relations).filter((name) => !isKnown(name)), ...Object.keys(workload.types).filter((name) => !model.documents.has(name))]
  return {
    workload: {
      ...workload,
      operations: workload.operations.filter((operation) => unsupportedIn.get(operation)!.length === 0),
      relations: Object.fromEntries(Object.entries(workload.relations).filter(([name]) => isKnown(name))),
      types: Object.fromEntries(Object.entries(workload.types).filter(([name]) => model.documents.has(name))),
    },
    unknown: [...new Set(unknown)].toSorted(),
  }
}

/** If all fields exist but the operation is no longer valid, its root fields stand for what does not fit. */
function unsupportedFields(operation: RecordedOperation, schema: GraphQLSchema, declaration: Declaration): string[] {
  const unknown = unknownFields(operation, schema)
  if (unknown.length > 0) return unknown
  const text = operationText(operation, { schema, declaration, documentOf: () => undefined })
  return text === undefined || validate(schema, parse(text)).length === 0 ? [] : operation.places.map(({ field }) => field)
}
