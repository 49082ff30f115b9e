// Parses a Dockerfile into stages and their instructions.

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

/** The arguments of all instructions of one kind, such as ENV. */
export function instructions({ steps }: Stage, word: string): string[] {
  return steps.filter((step) => step.word === word).map(({ text }) => text)
}

/** The `NAME=value` pairs of ENV. */
export function environmentOf(stage: Stage): Record<string, string> {
  return Object.fromEntries(instructions(stage, 'ENV').flatMap((text) => text.split(/\s+/)).map((pair) => {
    const [name, ...value] = pair.split('=')
    return [name!, value.join('=')]
  }))
}

/** A command in exec form, which runs without a shell and so receives signals. */
export function execForm(text: string): string[] {
  const command = text.slice(text.indexOf('['))
  if (!command.startsWith('[')) throw new Error(`${text} runs in a shell. Write it as a JSON list.`)
  return JSON.parse(command) as string[]
}
