// The part of a recorded workload that is about this schema. What is not is named, and left out.

import type { GraphQLSchema } from 'graphql'
import { fieldAt, type Model } from '../model/model.ts'
import type { Workload } from '../workload/workload.ts'
import { unknownFields } from './operation-text.ts'

export interface KnownPart {
  readonly workload: Workload
  /** The types and fields that this schema does not have. */
  readonly unknown: readonly string[]
}

export function knownPart(workload: Workload, schema: GraphQLSchema, model: Model): KnownPart {
  const isKnown = (coordinate: string) => fieldAt(model, coordinate) !== undefined
  const strange = workload.operations.flatMap((operation) => unknownFields(operation, schema))
  const unknown = [...strange, ...Object.keys(workload.relations).filter((name) => !isKnown(name)), ...Object.keys(workload.types).filter((name) => !model.documents.has(name))]
  return {
    workload: {
      ...workload,
      operations: workload.operations.filter((operation) => unknownFields(operation, schema).length === 0),
      relations: Object.fromEntries(Object.entries(workload.relations).filter(([name]) => isKnown(name))),
      types: Object.fromEntries(Object.entries(workload.types).filter(([name]) => model.documents.has(name))),
    },
    unknown: [...new Set(unknown)].toSorted(),
  }
}
