// Why a file of the user's code cannot be loaded: the file and line of the mistake, and what to do where Node's message does not say it.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { shellQuoted } from './shell-quoted.ts'

interface Location {
  readonly file: string
  readonly line: string
}

/** `schema/derive.ts:3: Expression expected`. The path is relative to the working directory, as editors open it from a terminal. */
export function loadErrorText(file: string, error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const location = locationOf(file, error)
  const commonJs = error instanceof SyntaxError ? commonJsPackage(location?.file ?? file, error) : undefined
  if (commonJs !== undefined) return `${shownPath(location?.file ?? file)} is an ES module, and ${shownPath(commonJs)} says "type": "commonjs". Run: ${moduleCommand(dirname(commonJs))}`
  return location === undefined ? error.message : `${shownPath(location.file)}:${location.line}: ${error.message}`
}

/** The path relative to the working directory, unless that is far away. */
export function shownPath(file: string): string {
  const from = relative(process.cwd(), file)
  return from.startsWith('../..') ? file : join(from)
}

function moduleCommand(folder: string): string {
  const from = relative(process.cwd(), folder)
  return `npm ${from === '' ? '' : `--prefix ${shellQuoted(shownPath(folder))} `}pkg set type=module`
}

function locationOf(file: string, error: Error): Location | undefined {
  const stack = error.stack ?? ''
  return headOf(stack) ?? frameOf(stack) ?? (error instanceof SyntaxError ? headOf(printedFor(file)) : undefined)
}

/** Above a syntax error, Node writes where it is. */
function headOf(stack: string): Location | undefined {
  const [, path, line] = /^((?:file:\/\/)?\/?[^\n]*?\.\w+)(?:\?[^\n:]*)?:(\d+)$/m.exec(stack.split('\n', 1)[0]!) ?? []
  return path === undefined || line === undefined ? undefined : { file: pathOf(path), line }
}

/** The innermost call in the user's code. CommonJS is named by path, ES modules by URL. */
function frameOf(stack: string): Location | undefined {
  const ownCode = join(import.meta.dirname, '../')
  for (const [, path, line] of stack.matchAll(/^ +at (?:[^\n]*\()?((?:file:\/\/|\/|[A-Z]:\\)[^\n?]+?)(?:\?[^\n:]*)?:(\d+):\d+\)?$/gm)) {
    const file = pathOf(path!)
    if (!/[\\/]node_modules[\\/]/.test(file) && !file.startsWith(ownCode)) return { file, line: line! }
  }
  return undefined
}

/** Node prints the line of a syntax error in JavaScript only when the error ends a process. Nothing runs there, because the file is not valid. */
function printedFor(file: string): string {
  const { stderr } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', `import ${JSON.stringify(pathToFileURL(file).href)}`], { encoding: 'utf8', timeout: 10_000 })
  return stderr
}

/** The package.json that makes Node read an ES module as CommonJS. */
function commonJsPackage(file: string, { message }: Error): string | undefined {
  if (!/outside a module|Unexpected token 'export'|'import\.meta'|await is only valid/.test(message) || !/\.[jt]s$/.test(file)) return undefined
  const found = findPackageJSON(pathToFileURL(file))
  return found !== undefined && (JSON.parse(readFileSync(found, 'utf8')) as { type?: unknown }).type === 'commonjs' ? found : undefined
}

function pathOf(path: string): string {
  return path.startsWith('file:') ? fileURLToPath(path) : path
}
