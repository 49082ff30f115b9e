// A step of a migration as people read it.

import type { MigrationStep } from '../../evolve/migrate/plan-migration.ts'
import type { Body } from '../../model/json/json.ts'

const maxLength = 400

export function stepLines({ does, sentence, documents, cost: { roundTrips, requestCharge }, reversible, example }: MigrationStep): string {
  const facts = [
    ...(documents > 0 ? [`${documents} documents.`] : []),
    ...(roundTrips > 0 ? [`About ${roundTrips} round trips, ${requestCharge} RU (estimated).`] : []),
    ...(does === 'rewrite' && !reversible ? ['Not reversible: joining documents get new ids.'] : []),
  ]
  const shown = example ? [`  before: ${textOf(example.before)}`, ...(example.problem === undefined ? example.after.map((body) => `  after:  ${textOf(body)}`) : [`  cannot: ${example.problem}`])] : []
  return [[`${does}: ${sentence}`, ...facts].join(' '), ...shown].join('\n')
}

function textOf(body: Body): string {
  const text = JSON.stringify(body)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
