// The file, line and column of a problem, which editors can jump to. SDL that came from no file has no locations.

import { getLocation, type ASTNode, type DocumentNode } from 'graphql'

/** The name of SDL that came from no file. */
export const unnamed = 'schema'

/** The problem, preceded by the file, line and column of the node it is about. */
export function placed(problem: string, node: ASTNode | undefined): string {
  const { loc } = node ?? {}
  if (!loc || !isFromFile(node)) return problem
  const { line, column } = getLocation(loc.source, loc.start)
  return `${loc.source.name}:${line}:${column}: ${problem}`
}

/** Whether the node is in a file of SDL. */
export function isFromFile(node: ASTNode | undefined): boolean {
  return node?.loc?.source.name.endsWith('.graphql') === true
}

/** The problem without its location, for SDL that Quire generated: its lines are in no file. */
export function unplaced(problem: string): string {
  return problem.replace(/^\S+\.graphql:\d+:\d+: /, '')
}

/** Finds the location of a problem by the `Type.field` or type that it begins with. */
export function placedByName(problem: string, sdl: DocumentNode): string {
  const [, typeName, fieldName] = /^(\w+)(?:\.(\w+))?/.exec(problem) ?? []
  const types = sdl.definitions.filter((node) => 'name' in node && node.name?.value === typeName)
  const fields = types.flatMap((node): readonly ASTNode[] => ('fields' in node ? (node.fields ?? []) : []))
  const field = fields.find((node) => 'name' in node && node.name?.value === fieldName)
  return placed(problem, pointed(field ?? types[0]))
}

/** The node of its name: a definition itself may begin with a description. */
function pointed(node: ASTNode | undefined): ASTNode | undefined {
  return node && 'name' in node ? node.name : node
}
