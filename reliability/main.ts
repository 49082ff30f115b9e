// `npm run reliability -- NAME`: what happens to a gateway when everything around it goes wrong, in figures. Each
// run is the file of its name beside this one, and answers with the exit code.

import { readdirSync } from 'node:fs'

/** What is said after the name of a run, by name: `--seed 7` is a text, `--json` alone is true. */
export type Options = Readonly<Record<string, string | true>>

export type Run = (options: Options) => Promise<number>

const names = new Set(readdirSync(import.meta.dirname).flatMap((file) => (/^(?!main\.)[a-z-]+\.ts$/.test(file) ? [file.slice(0, -'.ts'.length)] : [])))

async function main([name = '', ...given]: readonly string[]): Promise<number> {
  const { run } = names.has(name) ? ((await import(`./${name}.ts`)) as { run?: Run }) : {}
  if (run) return run(readOptions(given))
  console.error(`There is no run called "${name}". Write "npm run reliability -- hostile", or another file of reliability/ that can be run.`)
  return 2
}

function readOptions(given: readonly string[]): Options {
  return Object.fromEntries(given.flatMap((word, at): [string, string | true][] => {
    if (!word.startsWith('--')) return []
    const next = given[at + 1]
    return [[word.slice(2), next === undefined || next.startsWith('--') ? true : next]]
  }))
}

process.exitCode = await main(process.argv.slice(2))
