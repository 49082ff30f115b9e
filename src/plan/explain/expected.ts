// What an operation is expected to take. The most is what it takes when every list is full; the least,
// when nothing is found that need not be there. Charges are those of the cost model.

import type { Cost } from '../../store/cost-model.ts'
import type { PlannedRead, Range } from '../../read/planned-reads.ts'
import { countCharge, hundredths, queryAlikeCharge, readAlikeCharge, readCharge } from '../../store/cost-model.ts'
import type { Known } from './assumptions.ts'
import type { Question } from './explained-node.ts'
import { none, plus, times } from './range.ts'
import { timingsOf, defaultWave } from './waves.ts'

export type Expected = { readonly [K in keyof Cost]: Range }

/** With questions of one wave gathered. */
export function expectedOf(questions: readonly Question[], known: Known): Expected {
  const timings = timingsOf(questions)
  const loaders = [...Map.groupBy(questions, ({ asked }) => asked.loader).values()].map((all) => {
    const certain = all.filter((question) => keysOf(question, known).least > 0)
    const usual = [...Map.groupBy(all, (question) => defaultWave(timings.get(question)!)).values()].map((together) => gathered(together, known))
    // Rows whose holders were there earlier ask earlier, by themselves.
    const apart = new Set(all.flatMap((question) => [...timings.get(question)!.asked])).size - usual.length
    const most = total(usual)
    return {
      roundTrips: { least: Number(certain.length > 0), most: most.roundTrips + apart },
      requestCharge: {
        least: Math.min(...certain.map(({ asked }) => chargeOf(asked, 1, asked.documents.least, known)), certain.length > 0 ? Infinity : 0),
        most: most.requestCharge + apart * queryAlikeCharge(0, 0),
      },
    }
  })
  const sure = questions.filter((question) => keysOf(question, known).least > 0)
  const waves = {
    least: Math.max(0, ...sure.map((question) => Math.min(...timings.get(question)!.answered))),
    most: Math.max(0, ...questions.map((question) => defaultWave(timings.get(question)!))),
  }
  return { roundTrips: sumOf(loaders.map(({ roundTrips }) => roundTrips)), waves, requestCharge: rounded(sumOf(loaders.map(({ requestCharge }) => requestCharge))) }
}

/** With every question asked by itself, for each holder and key. */
export function expectedAlone(questions: readonly Question[], known: Known): Expected {
  const asking = questions.map((question) => ({ question, keys: times(times(question.holders, question.asked.keys), { least: question.repeated, most: question.repeated }) }))
  const depth = (question: Question | undefined): number => (question ? 1 + depth(question.after) : 0)
  return {
    roundTrips: sumOf(asking.map(({ keys }) => keys)),
    waves: {
      least: Math.max(0, ...asking.filter(({ keys }) => keys.least > 0).map(({ question }) => depth(question))),
      most: Math.max(0, ...questions.map(depth)),
    },
    requestCharge: rounded(sumOf(asking.map(({ question: { asked }, keys }) => ({
      least: keys.least * chargeOf(asked, 1, asked.documents.least, known),
      most: keys.most * chargeOf(asked, 1, asked.documents.most, known),
    })))),
  }
}

/** The different keys that a question is asked for, as far as that is known. */
export function keysOf({ holders, asked }: Question, known: Known): Range {
  const { least, most } = times(holders, asked.keys)
  // Holders may share what they point at.
  return { least: Math.min(least, 1), most: Math.min(most, asked.by === 'key' ? known.count(asked.type) : Infinity) }
}

/** What one call for these questions takes, when all of it is found. */
export function gathered(questions: readonly Question[], known: Known): { roundTrips: number; requestCharge: number } {
  const [{ asked }] = questions as [Question]
  const most = Math.min(questions.reduce((sum, question) => sum + keysOf(question, known).most, 0), asked.by === 'key' ? known.count(asked.type) : Infinity)
  const full = Math.floor(most / known.keysPerRequest)
  const rest = most % known.keysPerRequest
  const charge = (keys: number) => (keys === 0 ? 0 : chargeOf(asked, keys, asked.documents.most, known))
  return { roundTrips: full + Number(rest > 0), requestCharge: full * charge(known.keysPerRequest) + charge(rest) }
}

/** The charge of one call for so many keys that are answered with so many documents each. */
function chargeOf(asked: PlannedRead, keys: number, documents: number, known: Known): number {
  const bytes = known.bytes(asked.type)
  if (asked.by === 'count') return keys * countCharge()
  if (asked.by === 'page') return keys * queryAlikeCharge(Math.min(documents, known.count(asked.type)), bytes)
  if (asked.selection) return queryAlikeCharge(keys * documents, bytes)
  return keys === 1 ? readCharge(documents === 0 ? undefined : bytes) : readAlikeCharge(keys, bytes)
}

function total(calls: readonly { roundTrips: number; requestCharge: number }[]) {
  return {
    roundTrips: calls.reduce((sum, { roundTrips }) => sum + roundTrips, 0),
    requestCharge: calls.reduce((sum, { requestCharge }) => sum + requestCharge, 0),
  }
}

function sumOf(ranges: readonly Range[]): Range {
  return ranges.reduce(plus, none)
}

function rounded({ least, most }: Range): Range {
  return { least: hundredths(least), most: hundredths(most) }
}
