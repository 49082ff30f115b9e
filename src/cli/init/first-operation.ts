// An operation to try with a schema that was guessed: a page of its largest type, with a relation.

import { objectType, type DocumentType, type Field, type Model, type ObjectType } from '../../model/model.ts'

/** `largest` is the name of the type to begin with. */
export function firstOperation(model: Model, largest: string): string {
  const type = model.documents.get(largest)!
  return [
    '# An operation to try, which GraphiQL opens with. The panel beside the answer shows its round trips, and those it saved.',
    '# To see its cost without running it: npx quire explain schema/operations/first-steps.graphql',
    '',
    'query List {',
    `  ${type.plural}(first: 10) {`,
    '    nodes {',
    ...selectionOf(model, type).map((line) => `      ${line}`),
    '    }',
    '  }',
    '}',
    '',
  ].join('\n')
}

function selectionOf(model: Model, type: DocumentType): string[] {
  const relation = [...type.fields.values()].find(({ target, shape }) => model.documents.has(target) && shape !== 'connection')
  const inside = relation && objectType(model, relation.target)
  return [...leavesOf(type, 4), ...(inside ? [`${relation.name} { ${leavesOf(inside, 3).join(' ')} }`] : [])]
}

function leavesOf({ fields }: ObjectType, max: number): string[] {
  return [...fields.values()].filter((field: Field) => field.leaf).slice(0, max).map(({ name }) => name)
}
