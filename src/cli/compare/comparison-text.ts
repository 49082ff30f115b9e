// A comparison as text: a table of costs, and an answer to each question with its numbers.

import type { Comparison, OperationCost, Question, Variant } from './run-comparison.ts'

export function comparisonLines(comparison: Comparison): string[] {
  const { size, questions, variants } = comparison
  const header = ['', ...variants.map(({ name }) => name)]
  const rows = [
    ...questions.map(({ operation }) => [operation, ...variants.map(({ costs }) => cell(costs[operation]!))]),
    ['documents', ...variants.map(({ documents }) => documents.toLocaleString('en-US'))],
    ['kilobytes', ...variants.map(({ bytes }) => Math.round(bytes / 1024).toLocaleString('en-US'))],
  ]
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]!.length)))
  const line = (row: readonly string[]) => row.map((text, column) => text.padEnd(widths[column]!)).join('  ').trimEnd()
  return [
    `The same data at size ${size}, stored in ${variants.length} ways. Round trips · waves · RU, and documents written.`,
    '',
    line(header),
    ...rows.map(line),
    '',
    ...questions.flatMap((question) => [question.question, `  ${answerTo(question, comparison)}`]),
    '',
    'RU are estimates by the cost model.',
  ]
}

/** The cheapest and the most expensive variant, and how far they are apart. */
export function answerTo({ operation }: Question, { variants }: Comparison): string {
  const costOf = ({ costs }: Variant) => costs[operation]!
  const charges = variants.map((variant) => costOf(variant).requestCharge)
  const [min, max] = [Math.min(...charges), Math.max(...charges)]
  const cheapest = variants.filter((variant) => costOf(variant).requestCharge === min)
  const dearest = variants.filter((variant) => costOf(variant).requestCharge === max)
  if (min === max) return `The same in all variants: ${described(costOf(cheapest[0]!))}.`
  return `Cheapest: ${namesOf(cheapest)}, with ${described(costOf(cheapest[0]!))}. Most expensive: ${namesOf(dearest)}, with ${described(costOf(dearest.at(-1)!))}, ${timesOf(max / min)} the RU.`
}

function cell({ roundTrips, waves, requestCharge, written }: OperationCost): string {
  return `${roundTrips} · ${waves} · ${requestCharge}${written > 0 ? `, ${written} written` : ''}`
}

function described({ roundTrips, waves, requestCharge, written }: OperationCost): string {
  const writes = written === 0 ? '' : ` and ${count(written, 'document')} written`
  return `${count(roundTrips, 'round trip')} in ${count(waves, 'wave')}, ${requestCharge.toLocaleString('en-US')} RU${writes}`
}

function namesOf(variants: readonly Variant[]): string {
  const names = variants.map(({ name }) => name)
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function count(number: number, one: string): string {
  return `${number.toLocaleString('en-US')} ${one}${number === 1 ? '' : 's'}`
}

function timesOf(ratio: number): string {
  return ratio >= 10 ? `${Math.round(ratio)} times` : `${ratio.toFixed(1)} times`
}
