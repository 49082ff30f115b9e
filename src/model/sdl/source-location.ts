// The file, line and column of a problem, which editors can jump to. SDL that came from no file has no locations.

import { getLocation, type ASTNode, type DocumentNode } from 'graphql'

/** What SDL is called that came from no file. */
export const unnamed = 'schema'

/** The problem with the file, line and column of what it is about. */
export function placed(problem: string, node: ASTNode | undefined): string {
  const { loc } = node ?? {}
  if (!loc || !loc.source.name.endsWith('.graphql')) return problem
  const { line, column } = getLocation(loc.source, loc.start)
  return `${loc.source.name}:${line}:${column}: ${problem}`
}

/** The problem alone: of SDL that nobody has written yet, nobody wants to know where. */
export function unplaced(problem: string): string {
  return problem.replace(/^\S+\.graphql:\d+:\d+: /, '')
}

/** The same for problems that begin with the name of what they are about: a `Type.field`, or a type. */
export function placedByName(problem: string, sdl: DocumentNode): string {
  const [, typeName, fieldName] = /^(\w+)(?:\.(\w+))?/.exec(problem) ?? []
  const types = sdl.definitions.filter((node) => 'name' in node && node.name?.value === typeName)
  const fields = types.flatMap((node): readonly ASTNode[] => ('fields' in node ? (node.fields ?? []) : []))
  const field = fields.find((node) => 'name' in node && node.name?.value === fieldName)
  return placed(problem, pointed(field ?? types[0]))
}

/** Its name, since a description may stand in front of it. */
function pointed(node: ASTNode | undefined): ASTNode | undefined {
  return node && 'name' in node ? node.name : node
}
