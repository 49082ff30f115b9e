// The part of a recorded workload that is about this schema. What is not is named, and left out.

import { parse, validate, type GraphQLSchema } from 'graphql'
import type { Declaration } from '../../../relations/declaration.ts'
import { fieldAt } from '../../../model/model.ts'
import type { RecordedOperation, Workload } from '../../../observe/workload/workload.ts'
import { operationText, unknownFields } from '../replay/operation-text.ts'

export interface KnownPart {
  readonly workload: Workload
  /** The types and fields that this schema does not have, or not like that. */
  readonly unknown: readonly string[]
}

export function knownPart(workload: Workload, schema: GraphQLSchema, declaration: Declaration): KnownPart {
  const { model } = declaration
  const isKnown = (coordinate: string) => fieldAt(model, coordinate) !== undefined
  const strangeIn = new Map(workload.operations.map((operation) => [operation, strangeFields(operation, schema, declaration)]))
  const strange = [...strangeIn.values()].flat()
  const unknown = [...strange, ...Object.keys(workload.relations).filter((name) => !isKnown(name)), ...Object.keys(workload.types).filter((name) => !model.documents.has(name))]
  return {
    workload: {
      ...workload,
      operations: workload.operations.filter((operation) => strangeIn.get(operation)!.length === 0),
      relations: Object.fromEntries(Object.entries(workload.relations).filter(([name]) => isKnown(name))),
      types: Object.fromEntries(Object.entries(workload.types).filter(([name]) => model.documents.has(name))),
    },
    unknown: [...new Set(unknown)].toSorted(),
  }
}

/** What is known by name may have become something else: then it is known by the field at the top that it is no longer possible. */
function strangeFields(operation: RecordedOperation, schema: GraphQLSchema, declaration: Declaration): string[] {
  const unknown = unknownFields(operation, schema)
  if (unknown.length > 0) return unknown
  const text = operationText(operation, { schema, declaration, documentOf: () => undefined })
  return text === undefined || validate(schema, parse(text)).length === 0 ? [] : operation.places.map(({ field }) => field)
}
