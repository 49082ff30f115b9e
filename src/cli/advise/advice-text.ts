// Advice as lines of text. All figures are per hour of the recorded workload.

import type { Rate } from './pricing/rate.ts'
import { agreement, type Proof, type ProvedAdvice, type ProvedRelation } from './prove-advice.ts'

export const costModelNote = 'RU are estimates by the cost model, with snapshots written in the same transaction as their source.'

const words = { embedded: 'embed it', referenced: 'reference it' }

export function adviceLines(advice: ProvedAdvice): string[] {
  const { recorded, hours, now, relations, unused, remarks, outgrowing, replayed, together } = advice
  return [
    `Recorded for ${durationText(hours)} in ${count(recorded.runs, 'run')}: ${count(recorded.made.operations, 'operation')}, ${count(recorded.made.roundTrips, 'round trip')}, ${amount(recorded.made.requestCharge)} RU.`,
    `On average ${rateText(now)} per hour. All figures below are per hour.`,
    ...relations.flatMap((relation) => ['', ...relationLines(relation)]),
    ...(together ? ['', 'All recommended changes together', `  replayed    ${proofText(together)}`] : []),
    ...block('Other relations', remarks.map(({ field, sentence }) => `${field}: ${sentence}`)),
    ...block('Lists that outgrow their document', outgrowing.map(({ field, sentence }) => `${field}: ${sentence}`)),
    ...block('Notes', [
      `The replay sent ${count(replayed.sent, 'operation')} to each schema, on ${count(replayed.documents, 'document')}, weighted by how often they were recorded.`,
      ...notesOf(advice),
      ...(unused.length > 0 ? [`The recording does not use ${unused.join(', ')}.`] : []),
      costModelNote,
    ]),
  ]
}

export function verdict({ declared, advised, saves, change }: ProvedRelation): string {
  const word = words[advised.way]
  if (advised.line === declared.line) return `${word}, as declared`
  if (!change) return `keep it as it is: the alternative saves ${percent(saves)}, too little to change the schema`
  return declared.way === advised.way ? `${word}, with other fields in the snapshot` : word
}

/** Sentences on what the advice does not cover. */
export function notesOf({ hours, recorded: { leftOut }, replayed, unknown, relations }: ProvedAdvice): string[] {
  const apart = relations.filter(({ proof }) => proof && !proof.agrees).map(({ field }) => field)
  return [
    ...(unknown.length > 0 ? [`Ignored, because this schema does not have them: ${unknown.join(', ')}.`] : []),
    ...(hours < 1 ? ['Less than an hour was recorded; the figures assume that the rest of the hour is the same.'] : []),
    ...(leftOut.operations > 0 ? [`${count(leftOut.operations, 'operation')} did not fit into the recording and ${leftOut.operations === 1 ? 'is' : 'are'} not counted.`] : []),
    ...(leftOut.names > 0 ? ['Some fields did not fit into the recording and are not counted.'] : []),
    ...(leftOut.changes > 0 ? [`${count(leftOut.changes, 'change')} did not fit into the recording and ${leftOut.changes === 1 ? 'is' : 'are'} not counted by field.`] : []),
    ...(replayed.leftOut.length > 0 ? [`Not replayed, because no mutation input makes such a change: ${replayed.leftOut.join(', ')}.`] : []),
    ...(replayed.failed.length > 0 ? [`Some replayed operations failed: ${replayed.failed[0]}`] : []),
    ...(apart.length > 0 ? [`For ${apart.join(', ')}, prediction and replay differ by more than ${percent(agreement.ofDifference)} of what the change saves or costs: trust the replay.`] : []),
  ]
}

export function breakEvenText({ changes: { of, now, breakEven, fanOut }, embedded, advised }: ProvedRelation): string {
  if (!embedded || breakEven === undefined) return 'a snapshot could hold none of the selected fields'
  const what = `changes of ${listed(embedded.copied)} in ${of} documents`
  const flips = breakEven === 0 ? 'never: a snapshot would save less than it costs' : `at ${amount(breakEven)} ${what} per hour`
  return `${flips}; recorded are ${amount(now)}, and each ${advised.way === 'embedded' ? 'rewrites' : 'would rewrite'} ${count(fanOut, 'document')}`
}

export function proofText({ way, declared, predicted, measured }: Omit<Proof, 'line' | 'way'> & { readonly way?: Proof['way'] }): string {
  return `as declared ${rateText(declared)}; ${way ?? 'changed'} ${rateText(measured)}, predicted ${rateText(predicted)}`
}

export function rateText({ roundTrips, requestCharge }: Rate): string {
  return `${count(roundTrips, 'round trip')} and ${amount(requestCharge)} RU`
}

export function percent(share: number): string {
  return `${(share * 100).toLocaleString('en-US', { maximumFractionDigits: 1 })} %`
}

export function amount(number: number): string {
  return number.toLocaleString('en-US', { maximumFractionDigits: number !== 0 && Math.abs(number) < 0.1 ? 4 : 2 })
}

function relationLines(relation: ProvedRelation): string[] {
  const { field, declared, advised, referenced, embedded, saves, change, add, drop, proof } = relation
  return [
    `${field}: ${verdict(relation)}`,
    ...(change ? [`  write       ${advised.line}`, `  saves       ${percent(saves)} of all RU`] : []),
    ...(advised.line !== declared.line && declared.way === advised.way ? [`  now         ${rateText(declared.rate)}`] : []),
    `  embedded    ${embedded ? `${rateText(embedded.rate)}, with ${listed(embedded.copied)}` : 'a snapshot could hold none of the selected fields'}`,
    `  referenced  ${rateText(referenced.rate)}`,
    ...(embedded?.impossible === undefined ? [] : [`  but         ${embedded.impossible}`]),
    ...(declared.way === 'embedded' && add.length > 0 ? [`  add         ${listed(add)}: selected, but not in the snapshot`] : []),
    ...(declared.way === 'embedded' && drop.length > 0 ? [`  drop        ${listed(drop)}: in the snapshot, but not worth its cost`] : []),
    ...(embedded ? [`  break-even  ${breakEvenText(relation)}`] : []),
    ...(proof ? [`  replayed    ${proofText(proof)}`] : []),
  ]
}

function block(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]
}

function count(number: number, one: string): string {
  return `${amount(number)} ${one}${number === 1 ? '' : 's'}`
}

function durationText(hours: number): string {
  const [number, unit] = hours >= 1 ? [hours, 'hour'] as const : hours >= 1 / 60 ? [hours * 60, 'minute'] as const : [hours * 3600, 'second'] as const
  return count(number, unit)
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? 'nothing') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
