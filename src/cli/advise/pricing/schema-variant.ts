// The schema with one relation declared differently. Only its directive changes, so the served schema stays the same,
// and the line to write is the line that was priced.

import { Kind, parse, print, visit, type DocumentNode, type FieldDefinitionNode, type ObjectTypeDefinitionNode } from 'graphql'
import type { Declaration } from '../../../relations/declaration.ts'
import { fieldAt, type Field } from '../../../model/model.ts'
import { readModel } from '../../../model/read-model.ts'
import { declaredCopying } from '../../../relations/pointers/copied-fields.ts'
import { prepareFields } from '../../../relations/kinds.ts'
import type { Derive } from '../../../relations/kind.ts'

export interface Variant {
  readonly typeDefs: DocumentNode
  /** The declaration of the field, ready to paste. */
  readonly line: string
  /** For pricing only: the schema's rules are not checked here. */
  readonly declaration: Declaration
  /** The relation in this variant. */
  readonly field: Field
}

/** The relation as a snapshot of these fields; without fields, as a reference. */
export function variantOf(typeDefs: DocumentNode, declaration: Declaration, derive: Derive, coordinate: string, copied: readonly string[]): Variant {
  const declared = fieldAt(declaration.model, coordinate)!
  const directive = declaredCopying(declared, copied)
  let line = ''
  const rewritten = visit(typeDefs, {
    FieldDefinition(node, _, __, ___, ancestors) {
      const owner = ancestors.at(-1) as ObjectTypeDefinitionNode | readonly unknown[] | undefined
      const type = (Array.isArray(owner) ? ancestors.at(-2) : owner) as ObjectTypeDefinitionNode
      if (`${type.name.value}.${node.name.value}` !== coordinate) return undefined
      const changed = withDirective(node, declared.storage.kind, directive)
      const { description: _d, ...bare } = changed
      line = print(bare as FieldDefinitionNode)
      return changed
    },
  })
  const { model } = readModel(rewritten)
  const prepared = prepareFields(model, derive)
  return { typeDefs: rewritten, line, declaration: { ...declaration, model, prepared, kindContext: { model, derive, prepared } }, field: fieldAt(model, coordinate)! }
}

function withDirective(node: FieldDefinitionNode, replaced: string, directive: string): FieldDefinitionNode {
  const [type] = parse(`type T { f: Int ${directive} }`, { noLocation: true }).definitions
  const [written] = type?.kind === Kind.OBJECT_TYPE_DEFINITION ? type.fields![0]!.directives! : []
  return { ...node, directives: (node.directives ?? []).map((one) => (one.name.value === replaced ? written! : one)) }
}
