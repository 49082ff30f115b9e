// Answers as the documentation shows them: data completely, of each error what matters, and of the cost report the figures that the
// block has.

import type { TestAnswer } from '../../../src/entries/testing.ts'

/** What a block has to show, given what it shows: wherever it has "…", so has this. */
export function shownAnswer({ data, errors, cost }: TestAnswer, shown: unknown): object {
  const { errors: like = [], extensions: { quire: figures } = {} } = (shown ?? {}) as Shown
  const shownErrors = errors?.map(({ message, path, extensions }, index) => ({ message, ...(path ? { path } : {}), extensions: picked(extensions, like[index]?.extensions ?? { code: '' }) }))
  const answer = {
    ...(data === undefined ? {} : { data }),
    ...(shownErrors ? { errors: shownErrors } : {}),
    ...(figures && cost ? { extensions: { quire: picked(cost, figures) } } : {}),
  }
  return withEllipses(answer, shown) as object
}

interface Shown {
  readonly errors?: readonly { readonly extensions?: object }[]
  readonly extensions?: { readonly quire?: object }
}

function withEllipses(answer: unknown, shown: unknown): unknown {
  if (shown === '…' && answer !== undefined) return '…'
  if (Array.isArray(answer) && Array.isArray(shown)) return answer.map((value, index) => withEllipses(value, shown[index]))
  if (!isObject(answer) || !isObject(shown)) return answer
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, withEllipses(value, shown[name])]))
}

/** The parts of a value that another one has. */
function picked(value: unknown, like: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(like)) return value.map((each) => picked(each, like[0]))
  if (!isObject(value) || !isObject(like) || Object.keys(like).length === 0) return value
  return Object.fromEntries(Object.keys(like).filter((name) => name in value).map((name) => [name, picked(value[name], like[name])]))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
