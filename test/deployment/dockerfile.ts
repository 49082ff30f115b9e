// Reads a Dockerfile: its stages, and what each of them says, in order.

export interface Stage {
  readonly name: string
  readonly steps: readonly Step[]
}

export interface Step {
  readonly word: string
  readonly text: string
}

export function readDockerfile(text: string): Stage[] {
  const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('#')).join('\n').replaceAll('\\\n', ' ').split('\n')
  const steps = lines.map((line) => /^([A-Z]+)\s+(.+)$/.exec(line.trim())).filter((match) => match !== null).map(([, word, rest]) => ({ word: word!, text: rest!.trim() }))
  const stages: { name: string; steps: Step[] }[] = []
  for (const step of steps) {
    if (step.word === 'FROM') stages.push({ name: / AS (\S+)$/i.exec(step.text)?.[1] ?? '', steps: [] })
    else stages.at(-1)!.steps.push(step)
  }
  return stages
}

/** All that a stage says with one word. */
export function said({ steps }: Stage, word: string): string[] {
  return steps.filter((step) => step.word === word).map(({ text }) => text)
}

/** `NAME=value` pairs, as ENV has them. */
export function environmentOf(stage: Stage): Record<string, string> {
  return Object.fromEntries(said(stage, 'ENV').flatMap((text) => text.split(/\s+/)).map((pair) => {
    const [name, ...value] = pair.split('=')
    return [name!, value.join('=')]
  }))
}

/** A command in its exec form: without a shell in between, signals reach whom they are for. */
export function execForm(text: string): string[] {
  const command = text.slice(text.indexOf('['))
  if (!command.startsWith('[')) throw new Error(`${text} is run by a shell. Write it as a JSON list.`)
  return JSON.parse(command) as string[]
}
