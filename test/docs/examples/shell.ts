// Whether a shell command of the documentation could run: the command exists, and so do its options, npm scripts and files.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { defineCommand, type CliCommand } from '../../../src/cli/command/command.ts'

/** The problems of commands in prose, where arguments may be missing or stand in brackets. */
export async function proseProblems(codes: readonly string[]): Promise<string[]> {
  const commands = codes.filter((code) => /^(?:npx )?quire /.test(code)).flatMap((code) => commandsIn(code.replaceAll(/[[\]]/g, '')))
  const problems = await Promise.all(commands.map(async (words) => {
    const [program, ...args] = words[0] === 'npx' ? words.slice(1) : words
    const problem = program === 'quire' ? await quireProblem(args, false) : undefined
    return problem === undefined ? [] : [`${words.join(' ')}: ${problem}`]
  }))
  return problems.flat()
}

/** The problems of a block. */
export async function shellProblems(text: string, folder: string): Promise<string[]> {
  const problems = await Promise.all(commandsIn(text).map(async (words) => {
    const problem = await problemOf(words, folder)
    return problem === undefined ? [] : [`${words.join(' ')}: ${problem}`]
  }))
  return problems.flat()
}

/** Why the words after `quire` are no command line; arguments may be missing where `complete` is false. */
async function quireProblem(words: readonly string[], complete = true): Promise<string | undefined> {
  const [name = '--help', ...args] = words
  if (name.startsWith('-') || name === 'help') return undefined
  const file = [`${name}.ts`, `${name}/${name}.ts`].map((each) => join('src/cli', each)).find(existsSync)
  if (file === undefined) return 'there is no such command'
  const { command } = (await import(join(process.cwd(), file))) as { command: CliCommand }
  const target = new Command(name).exitOverride().configureOutput({ writeErr() {}, writeOut() {} })
  defineCommand(target, command)
  // Everything is parsed and nothing is done.
  target.action(() => {})
  try {
    await target.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const incomplete = ['commander.missingArgument', 'commander.missingMandatoryOptionValue', 'commander.optionMissingArgument'].includes(error.code)
    if (error.code !== 'commander.help' && error.code !== 'commander.helpDisplayed' && (complete || !incomplete)) return error.message
  }
  return undefined
}

async function problemOf([program = '', ...args]: readonly string[], folder: string): Promise<string | undefined> {
  const exists = (path: string): boolean => existsSync(path) || existsSync(join(folder, path))
  switch (program) {
    case 'quire': return quireProblem(args)
    case 'cd':
    case 'mkdir':
    case '': return undefined
    case 'npm': return npmProblem(args)
    case 'npx':
      if (['quire', 'quire-graphql', 'PATH/TO/dist'].includes(args[0]!)) return quireProblem(args.slice(1))
      if (args[0] === 'vitest') return missing(args.filter((word) => word.startsWith('test/')), (path) => exists(path) || exists(join(path, '..')))
      return 'the tests do not know this program'
    case 'node': return missing(args.filter((word) => /\.[jt]s$/.test(word)), exists)
    default: return 'the tests do not know this program'
  }
}

function missing(paths: readonly string[], exists: (path: string) => boolean): string | undefined {
  const absent = paths.filter((path) => !exists(path))
  return absent.length === 0 ? undefined : `there is no ${absent.join(', ')}`
}

function npmProblem([what = '', script]: readonly string[]): string | undefined {
  // Of the repository, and of a project that `quire init` writes.
  const manifests = ['package.json', 'examples/init/project/package.json.template'].map((file) => JSON.parse(readFileSync(file, 'utf8')) as { scripts: Record<string, string> })
  const run = what === 'run' ? script! : what
  return ['i', 'install', 'ci', 'pack', 'pkg'].includes(what) || manifests.some(({ scripts }) => run in scripts) ? undefined : 'there is no such script'
}

/** The words of each command, without comments, settings and redirections. */
function commandsIn(text: string): string[][] {
  return text.replaceAll('\\\n', ' ').split('\n').flatMap((line) => {
    const words = line.replace(/(^|\s)#.*$/, '').match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []
    const commands: string[][] = [[]]
    for (const word of words) {
      if (word === '&&' || word === '|') commands.push([])
      else if (commands.at(-1)!.length > 0 || !/^[A-Z_]+=/.test(word)) commands.at(-1)!.push(word.replaceAll(/["']/g, ''))
    }
    return commands
  }).filter((words) => words.length > 0)
}
