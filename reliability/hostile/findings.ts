// Findings by class of request and problem, each with the smallest request that shows it.

export interface Finding {
  readonly class: string
  readonly problem: string
  readonly profiles: Set<string>
  count: number
  /** The shortest request that shows it, and how to repeat it. */
  example: Example
}

export interface Example {
  readonly profile: string
  readonly index: number
  readonly request: Buffer
  readonly answer: string
}

export class Findings {
  readonly #all = new Map<string, Finding>()

  add(name: string, problem: string, example: Example): void {
    const known = this.#all.get(`${name}\n${problem}`)
    if (!known) {
      this.#all.set(`${name}\n${problem}`, { class: name, problem, count: 1, example, profiles: new Set([example.profile]) })
      return
    }
    known.count++
    known.profiles.add(example.profile)
    if (example.request.length < known.example.request.length) known.example = example
  }

  get all(): readonly Finding[] {
    return [...this.#all.values()]
  }
}

/** A paragraph with the command that repeats the example. */
export function findingText({ class: name, problem, count, profiles, example }: Finding, seed: string): string {
  const { profile, index, request, answer } = example
  return `${name}: ${problem} (${count} times; ${[...profiles].join('; ')})
  npm run reliability -- hostile --seed ${seed} --class '${name}' --profile '${profile}' --index ${index}
  sent (${request.length} bytes): ${outcome(request.toString('latin1'), 500)}
  answered: ${outcome(answer, 300)}`
}

function outcome(text: string, most: number): string {
  const line = JSON.stringify(text).slice(1, -1)
  return line.length <= most ? line : `${line.slice(0, most * 0.7)} … ${line.slice(-most * 0.3)}`
}
