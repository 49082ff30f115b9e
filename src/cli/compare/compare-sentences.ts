// The answers of a comparison in sentences, with the numbers in them.

import type { Comparison, Measured, Question, Variant } from './compare-run.ts'

/** Who is cheapest, by how much the dearest is dearer, and what each of them does. */
export function answerTo({ operation }: Question, { variants }: Comparison): string {
  const byCharge = variants.toSorted((one, other) => one.costs[operation]!.requestCharge - other.costs[operation]!.requestCharge)
  const [least, most] = [byCharge[0]!, byCharge.at(-1)!]
  const [cheap, dear] = [least.costs[operation]!, most.costs[operation]!]
  if (cheap.requestCharge === dear.requestCharge) return `The same in every way: ${described(cheap)}.`
  const same = byCharge.filter(({ costs }) => costs[operation]!.requestCharge === cheap.requestCharge)
  const dearest = byCharge.filter(({ costs }) => costs[operation]!.requestCharge === dear.requestCharge)
  return `Cheapest is ${namesOf(same)}: ${described(cheap)}. Dearest is ${namesOf(dearest)}: ${described(dear)}, ${timesOf(dear.requestCharge / cheap.requestCharge)} the charge.`
}

function described({ roundTrips, waves, requestCharge, written }: Measured): string {
  const writes = written === 0 ? '' : `, with ${count(written, 'document')} written`
  return `${count(roundTrips, 'round trip')} in ${count(waves, 'wave')} for ${requestCharge.toLocaleString('en-US')} RU${writes}`
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
