// Which fields of a plan can be written from their row alone, as a part of its code. The others become columns.

import {
  isLeafType, isListType, isNonNullType, isObjectType, type GraphQLField, type GraphQLObjectType, type GraphQLOutputType, type GraphQLSchema,
} from 'graphql'
import type { DocumentType } from '../../../model/model.ts'
import type { PlanNode } from '../../../plan/plan.ts'
import type { RowCaches } from '../row-cache.ts'
import type { Steps } from './steps.ts'

export type PlanNodes = ReadonlyMap<string, PlanNode>

export interface CompileContext {
  readonly steps: Steps
  readonly schema: GraphQLSchema
  readonly rowCaches: RowCaches | undefined
  /** For synchronous reads: documents that a row points at are looked up while it is written. Without it they are read in waves. */
  readonly targets: LookupTargets | undefined
}

/** The types of documents that are looked up. Code finds their lookups by number. */
export class LookupTargets {
  readonly types: DocumentType[] = []

  numberOf(type: DocumentType): number {
    const known = this.types.indexOf(type)
    return known >= 0 ? known : this.types.push(type) - 1
  }
}

/** Whether the selection below a node can be written from its value. */
export function isInline(context: CompileContext, type: GraphQLOutputType, node: PlanNode): boolean {
  if (isListType(type) || isNonNullType(type)) return isInline(context, type.ofType, node)
  if (isLeafType(type)) return true
  const possible = isObjectType(type) ? [type] : context.schema.getPossibleTypes(type)
  return possible.every((each) => isInlineRow(context, each, node.children))
}

/** Whether all selected fields of a row can be written from it. */
export function isInlineRow(context: CompileContext, type: GraphQLObjectType, nodes: PlanNodes): boolean {
  return nodesOf(type, nodes).every(([, node]) => isInlineField(context, type, node))
}

export function isInlineField(context: CompileContext, parent: GraphQLObjectType, node: PlanNode): boolean {
  const field = fieldAt(parent, node)
  if (!field) return true
  const step = context.steps.at(node)
  if (step && 'lookUpAll' in step) return context.targets !== undefined && step.points !== undefined && isInline(context, field.type, node)
  return (step !== undefined || !field.resolve) && isInline(context, field.type, node)
}

/** The nodes of one type: below an interface there are those of several. */
export function nodesOf({ name }: GraphQLObjectType, nodes: PlanNodes): [string, PlanNode][] {
  return [...nodes].filter(([key]) => key.startsWith(`${name}.`))
}

/** Undefined for `__typename`. */
export function fieldAt(parent: GraphQLObjectType, node: PlanNode): GraphQLField<unknown, unknown> | undefined {
  return parent.getFields()[node.written[0]!.name.value]
}
