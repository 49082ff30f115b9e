// The table of filter operators in docs/query.md.

import { filterOperators } from '../../src/model/operators.ts'

/** Each kind of value, by a scalar that stands for it. */
const kinds = [['text', 'String', false], ['numbers', 'Int', false], ['decimals', 'Decimal', false], ['dates', 'DateTime', false], ['ids', 'ID', false], ['true or false', 'Boolean', false], ['lists of ids', 'ID', true], ['lists of values', 'String', true]] as const

export function operatorsTable(): string {
  const rows = [false, true].flatMap((many) => Object.entries(filterOperators(many)).map(([name, { description, on }]) =>
    `| \`${name}\` | ${description} | ${kinds.flatMap(([kind, scalar, list]) => (list === many && on(scalar) ? [kind] : [])).join(', ')} |`))
  return ['| operator | matches | on |', '|---|---|---|', ...rows].join('\n')
}
