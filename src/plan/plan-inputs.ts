// What a plan may depend on beside the text of its operation, and a recorder of what it really depended on.
//
// Planning gets a request's inputs only through `RecordedInputs`, which notes each question with its answer. A cached
// plan fits another request exactly when the same questions get the same answers: planning for that request would then
// take the same decisions, question by question, and end with the same plan. So there is no list of dependencies that
// could be forgotten when planning learns to look at something new.

import type { Access } from '../auth/access.ts'
import { staleness, demandOf, type Freshness, type Staleness, type FieldPolicy, type ReadPolicy } from './freshness.ts'

export interface PlanInputs {
  /** Coerced, with their defaults. */
  readonly variables: Record<string, unknown>
  readonly policy: ReadPolicy
  readonly freshness: Freshness
  /** What the viewer may see; without it, everything. */
  readonly access: Access | undefined
}

/** A question and the answer that planning got; answers are compared with `===`. */
export interface RecordedAnswer {
  readonly question: (inputs: PlanInputs) => unknown
  readonly answer: unknown
}

/** Whether a plan that was made with these answers fits a request with these inputs. */
export function fits(recorded: readonly RecordedAnswer[], inputs: PlanInputs): boolean {
  for (const { question, answer } of recorded) if (question(inputs) !== answer) return false
  return true
}

export class RecordedInputs {
  readonly #inputs: PlanInputs
  readonly #recorded = new Map<string, RecordedAnswer>()
  /** Records every variable that is read by its name. */
  readonly variables: Record<string, unknown>

  constructor(inputs: PlanInputs) {
    this.#inputs = inputs
    const read = (name: string | symbol): unknown => this.#ask(`$${String(name)}`, variableNamed(name))
    this.variables = new Proxy(inputs.variables, {
      get: (_, name) => read(name),
      has: (_, name) => read(name) !== undefined,
      getOwnPropertyDescriptor(target, name) {
        read(name)
        return Reflect.getOwnPropertyDescriptor(target, name)
      },
      ownKeys() {
        throw new Error('Planning reads variables by name: reading all of them would make one plan for each request.')
      },
    })
  }

  get recorded(): readonly RecordedAnswer[] {
    return [...this.#recorded.values()]
  }

  /** The policy of the request, before any `@read`. Its demands on freshness are not told: `staleness` judges them. */
  policy(): FieldPolicy {
    return {
      from: this.#ask('from', requestedFrom),
      orStale: this.#ask('orStale', requestedOrStale),
      maxStaleMs: undefined,
      heedsRequest: true,
    }
  }

  /** Whether snapshots are too old for a field. How old they are is not told: it changes all the time. */
  staleness(field: FieldPolicy): Staleness | undefined {
    return this.#ask(`stale ${field.maxStaleMs} ${field.heedsRequest}`, stalenessFor(field))
  }

  /** What it says is the same for all viewers that share its name. */
  access(): Access | undefined {
    this.#ask('access', accessName)
    return this.#inputs.access
  }

  #ask<Answer>(name: string, question: (inputs: PlanInputs) => Answer): Answer {
    const known = this.#recorded.get(name)
    if (known) return known.answer as Answer
    const answer = question(this.#inputs)
    this.#recorded.set(name, { question, answer })
    return answer
  }
}

// Questions are kept with their plan, so they are made out here, where they cannot hold on to the first request's inputs.

function variableNamed(name: string | symbol) {
  return ({ variables }: PlanInputs): unknown => variables[name as string]
}

function stalenessFor(field: FieldPolicy) {
  return ({ policy, freshness }: PlanInputs): Staleness | undefined => staleness(demandOf(field, policy), freshness)
}

function requestedFrom({ policy }: PlanInputs): ReadPolicy['from'] {
  return policy.from
}

function requestedOrStale({ policy }: PlanInputs): boolean {
  return policy.orStale
}

function accessName({ access }: PlanInputs): string | undefined {
  return access?.name
}
