// Equal subscriptions share the execution of an event: it is executed once, by the first that comes to it, and told to all. They are
// equal if they have the same document, operation, variables and demands, and viewers who are shown the same (`Operation.sharedAs`),
// and if the event is the same object.
//
// Two answers are never shared: one with errors, because errors name the request that they belong to, and one whose resolvers
// looked at anything of the request besides `quire`.

import type { ExecutionResult } from 'graphql'

export interface EventAnswer {
  readonly result: ExecutionResult
  /** Whether nothing in it depends on the request that was first. */
  readonly isShareable: boolean
}

/** How long an answer is told to others. A slower subscriber gets one that is read again, so that it is not older than it claims. */
const maxSharedMs = 250

interface Shared {
  readonly answer: Promise<EventAnswer>
  readonly beganMs: number
}

export class SharedEvents {
  /** Forgotten together with the events. */
  readonly #answers = new WeakMap<object, Map<string, Shared>>()

  /** Answers an event for one subscription: by another's answer where that is the same, otherwise by `execute`. */
  async answer(event: unknown, sharedAs: string | undefined, execute: () => Promise<EventAnswer>): Promise<ExecutionResult> {
    if (sharedAs === undefined || typeof event !== 'object' || event === null) return (await execute()).result
    const answers = this.#answersTo(event)
    const known = answers.get(sharedAs)
    if (known && performance.now() - known.beganMs < maxSharedMs) {
      const { result, isShareable } = await known.answer.catch(() => notShared)
      return isShareable ? result : (await execute()).result
    }
    const answer = execute().then(({ result, isShareable }) => (isShareable && !result.errors ? { result: withOneText(result), isShareable } : { result, isShareable: false }))
    answers.set(sharedAs, { answer, beganMs: performance.now() })
    return (await answer).result
  }

  #answersTo(event: object): Map<string, Shared> {
    let answers = this.#answers.get(event)
    if (!answers) this.#answers.set(event, (answers = new Map()))
    return answers
  }
}

const notShared: EventAnswer = { result: {}, isShareable: false }

/** Serialized once for all: Yoga calls `stringify` for the text of a result. */
function withOneText(result: ExecutionResult): ExecutionResult {
  let text: string | undefined
  const stringify = (): string => (text ??= JSON.stringify(result))
  return Object.defineProperty({ ...result }, 'stringify', { value: stringify })
}

/** The context for an event, and whether anything of the request was read from it: that is everything but `own`. */
export function observedContext(ofRequest: object, own: object): { readonly context: object; readonly isPersonal: () => boolean } {
  let personal = false
  const context = { ...own }
  for (const [name, value] of Object.entries(ofRequest)) {
    if (name in own) continue
    const get = (): unknown => {
      personal = true
      return value
    }
    Object.defineProperty(context, name, { get, enumerable: true, configurable: true })
  }
  return { context, isPersonal: () => personal }
}
