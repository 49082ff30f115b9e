// Answers that name no field would change nothing without a word. They are refused, with the name that was probably meant.

import { didYouMean } from '../../../model/sdl/suggest-name.ts'
import { allFields, fieldAt, type Model } from '../../../model/model.ts'
import type { DeclaredStorage } from '../../declared/declared-storage.ts'
import type { Answers, MatchedModels } from './matched-models.ts'

/** Undefined if every answer names a field. `isDone`: what the answers are about may have been migrated already, and be forgotten. */
export function answerProblem({ now, old }: MatchedModels, before: DeclaredStorage, { renamed, dropped, defaults }: Answers, isDone: boolean): string | undefined {
  const stored = new Set([...Object.entries(before.documents), ...Object.entries(before.contained)].flatMap(([type, { fields }]) => Object.keys(fields).map((field) => `${type}.${field}`)))
  const types = new Set([...Object.keys(before.documents), ...Object.keys(before.contained)])
  for (const [at, to] of renamed) {
    const option = `--renamed ${at}=${to}`
    const problem = goneProblem(at, option)
    if (problem !== undefined) return problem
    const type = at.split('.')[0]!
    const owners = [type, ...[...now.documents.values()].filter(({ name, container, discriminator }) => !old.documents.has(name) && old.documents.get(type)?.container === container && old.documents.get(type)?.discriminator === discriminator).map(({ name }) => name)]
    if (!owners.some((owner) => fieldAt(now, `${owner}.${to}`))) return `${option}: the schema declares no field ${type}.${to}.${didYouMean(`${type}.${to}`, declaredIn(now))}`
  }
  for (const at of dropped) {
    const problem = goneProblem(at, `--dropped ${at}`)
    if (problem !== undefined) return problem
  }
  for (const at of defaults.keys()) {
    const field = fieldAt(now, at)
    if (!field || !('at' in field.storage)) return `The default of ${at}: the schema declares no ${field ? 'stored ' : ''}field ${at}.${didYouMean(at, declaredIn(now))} Correct --default or migrate.ts.`
  }
  return undefined

  function goneProblem(at: string, option: string): string | undefined {
    if (fieldAt(now, at)) return `${option}: ${at} is still declared.`
    return stored.has(at) || (isDone && types.has(at.split('.')[0]!)) ? undefined : `${option}: documents were written with no field ${at}.${didYouMean(at, [...stored].filter((each) => !fieldAt(now, each)))}`
  }
}

function declaredIn(model: Model): string[] {
  return allFields(model).filter(({ storage }) => 'at' in storage).map(({ coordinate }) => coordinate)
}
