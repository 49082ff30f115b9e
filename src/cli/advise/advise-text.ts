// Advice as lines for people. Every figure in it is of an hour of the recorded workload.

import type { Rate } from './pricing/rate.ts'
import { agreement, type Proof, type ProvedAdvice, type ProvedRelation } from './advise-run.ts'

const words = { embedded: 'embed it', referenced: 'reference it' }

export function adviceLines(advice: ProvedAdvice): string[] {
  const { recorded, hours, now, relations, unused, remarks, outgrowing, replayed, together } = advice
  return [
    `Recorded for ${durationText(hours)} in ${count(recorded.runs, 'run')}: ${count(recorded.made.operations, 'operation')}, ${count(recorded.made.roundTrips, 'round trip')}, ${amount(recorded.made.requestCharge)} RU.`,
    `An hour of it is ${rateText(now)}; all figures below are of an hour.`,
    ...relations.flatMap((relation) => ['', ...relationLines(relation)]),
    ...(together ? ['', 'All of these changes together', `  replayed    ${proofText(together)}`] : []),
    ...block('Other relations', remarks.map(({ field, sentence }) => `${field}: ${sentence}`)),
    ...block('Outgrowing a document', outgrowing.map(({ field, sentence }) => `${field}: ${sentence}`)),
    ...block('Notes', [
      `The replay sent ${count(replayed.sent, 'operation')} to each declaration, over ${count(replayed.documents, 'document')}, weighted as they were recorded.`,
      ...notesOf(advice),
      ...(unused.length > 0 ? [`Nothing was recorded about ${unused.join(', ')}.`] : []),
      'Charges are those of the cost model, with copies written together with what they copy.',
    ]),
  ]
}

export function verdict({ declared, advised, saves, change }: ProvedRelation): string {
  const word = words[advised.way]
  if (advised.line === declared.line) return `${word}, as it is declared`
  if (!change) return `leave it as it is: the other way is cheaper by ${percent(saves)}, which is too little to change a schema for`
  return declared.way === advised.way ? `${word}, with other copies` : word
}

/** What kept the advice from being complete, in sentences. */
export function notesOf({ hours, recorded: { leftOut }, replayed, unknown, relations }: ProvedAdvice): string[] {
  const apart = relations.filter(({ proof }) => proof && !proof.agrees).map(({ field }) => field)
  return [
    ...(unknown.length > 0 ? [`This schema does not have ${unknown.join(', ')}: what was recorded of them is left out.`] : []),
    ...(hours < 1 ? ['Less than an hour was recorded, and is taken to go on like that.'] : []),
    ...(leftOut.operations > 0 ? [`${count(leftOut.operations, 'operation')} found no room in the record, and ${leftOut.operations === 1 ? 'is' : 'are'} not part of this.`] : []),
    ...(leftOut.names > 0 ? ['Some fields found no room in the record, and are not part of this.'] : []),
    ...(leftOut.changes > 0 ? [`${count(leftOut.changes, 'change')} could not be told apart in the record.`] : []),
    ...(replayed.leftOut.length > 0 ? [`Not replayed, because no input makes such a change: ${replayed.leftOut.join(', ')}.`] : []),
    ...(replayed.failed.length > 0 ? [`Some replayed operations failed: ${replayed.failed[0]}`] : []),
    ...(apart.length > 0 ? [`Prediction and replay of ${apart.join(', ')} differ by more than ${percent(agreement.ofDifference)} of what the change makes: trust the replay.`] : []),
  ]
}

export function breakEvenText({ changes: { of, now, breakEven, fanOut }, embedded, advised }: ProvedRelation): string {
  if (!embedded || breakEven === undefined) return 'nothing that is asked for could be copied'
  const what = `changes of ${listed(embedded.copied)} in ${of} documents`
  const flips = breakEven === 0 ? 'never: copies would answer nothing that is worth carrying them' : `at ${amount(breakEven)} ${what} an hour`
  return `${flips}; there are ${amount(now)}, and each ${advised.way === 'embedded' ? 'rewrites' : 'would rewrite'} ${count(fanOut, 'document')}`
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
    ...(change ? [`  write       ${advised.line}`, `  saves       ${percent(saves)} of the charge`] : []),
    ...(advised.line !== declared.line && declared.way === advised.way ? [`  now         ${rateText(declared.rate)}`] : []),
    `  embedded    ${embedded ? `${rateText(embedded.rate)}, with ${listed(embedded.copied)}` : 'nothing that is asked for could be copied'}`,
    `  referenced  ${rateText(referenced.rate)}`,
    ...(embedded?.impossible === undefined ? [] : [`  but         ${embedded.impossible}`]),
    ...(declared.way === 'embedded' && add.length > 0 ? [`  add         ${listed(add)}: asked for beyond the copy`] : []),
    ...(declared.way === 'embedded' && drop.length > 0 ? [`  drop        ${listed(drop)}: copied, and not worth it`] : []),
    ...(embedded ? [`  flips       ${breakEvenText(relation)}`] : []),
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
