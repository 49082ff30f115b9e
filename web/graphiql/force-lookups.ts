// Rewrites an operation so that every relation is looked up and no snapshot is used.

import { Kind, parse, print, visit, type ArgumentNode, type DirectiveNode, type DocumentNode, type OperationDefinitionNode } from 'graphql'

const fromReference: ArgumentNode = {
  kind: Kind.ARGUMENT,
  name: { kind: Kind.NAME, value: 'from' },
  value: { kind: Kind.ENUM, value: 'REFERENCE' },
}
const read: DirectiveNode = { kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: 'read' }, arguments: [fromReference] }

export function forceLookups(text: string): string {
  const changed = visit(parse(text), {
    Directive: (node) => (node.name.value === 'read' ? { ...node, arguments: [fromReference, ...(node.arguments ?? []).filter(({ name }) => name.value !== 'from')] } : undefined),
    OperationDefinition: {
      leave: (node) => (node.directives?.some(({ name }) => name.value === 'read') ? undefined : { ...node, directives: [read, ...(node.directives ?? [])] }),
    },
  })
  return print(withoutUnusedVariables(changed))
}

/** A variable that was used only for `from:` is unused now, which would be a validation error. */
function withoutUnusedVariables(document: DocumentNode): DocumentNode {
  const used = new Set<string>()
  visit(document, { VariableDefinition: () => false, Variable: ({ name }) => void used.add(name.value) })
  return visit(document, {
    OperationDefinition: (node): OperationDefinitionNode => ({ ...node, variableDefinitions: (node.variableDefinitions ?? []).filter(({ variable }) => used.has(variable.name.value)) }),
  })
}
