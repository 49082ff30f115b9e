// What the package exports, read from declaration files: for each name its declaration, its comment, and the types it names.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'vite'

export interface Declared extends Reference {
  /** As TypeScript writes it, without comments. */
  readonly text: string
  readonly comment: string
  /** Whether its own file exports it. */
  readonly isExported: boolean
  readonly uses: readonly Use[]
}

export interface Reference {
  readonly name: string
  readonly file: string
}

/** A declaration that another one names: as the type of something, as what it extends, or as `typeof` a value. */
export interface Use extends Reference {
  readonly as: 'type' | 'base' | 'value'
}

/** Reads declaration files, each once. */
export class Declarations {
  readonly #modules = new Map<string, Module>()

  /** Everything that a file exports, its own and what it passes on. */
  exportsOf(file: string): Declared[] {
    return [...this.#module(file).exported.keys()].map((name) => this.resolve({ name, file })).toSorted((one, other) => (one.name < other.name ? -1 : 1))
  }

  /** The declaration behind a name. */
  resolve(reference: Reference): Declared {
    const found = this.#locate(reference)
    if (!found) throw new Error(`${reference.file} has no ${reference.name}.`)
    const { imported, declared, exported } = this.#module(found.file)
    const { text, comment, names } = declared.get(found.name)!
    const uses = names.flatMap(({ name, as }) => {
      const at = this.#locate(imported.get(name) ?? { name, file: found.file })
      return at ? [{ ...at, as }] : []
    })
    return { ...found, text, comment, uses, isExported: exported.has(found.name) }
  }

  /** Where a name is declared; undefined for what is global, a type parameter or of another package. */
  #locate({ name, file }: Reference): Reference | undefined {
    if (file === '') return undefined
    const { exported, imported, declared } = this.#module(file)
    if (declared.has(name)) return { name, file }
    const passedOn = exported.get(name)
    const from = passedOn && passedOn.file !== file ? passedOn : imported.get(passedOn?.name ?? name)
    return from && this.#locate(from)
  }

  #module(file: string): Module {
    const known = this.#modules.get(file)
    if (known) return known
    const module = readModule(file)
    this.#modules.set(file, module)
    return module
  }
}

type Name = Pick<Use, 'name' | 'as'>

interface Module {
  /** The name here → the name in the file that it comes from. */
  readonly exported: Map<string, Reference>
  readonly imported: Map<string, Reference>
  readonly declared: Map<string, { readonly text: string; readonly comment: string; readonly names: readonly Name[] }>
}

// oxlint-disable-next-line typescript/no-explicit-any -- a declaration file has a hundred kinds of nodes, of which a few matter
type Node = any

function readModule(file: string): Module {
  const source = readFileSync(file, 'utf8')
  const program: Node = parseAst(source, { lang: 'ts' }, file.replace(/\.d\.ts$/, '.ts'))
  const module: Module = { exported: new Map(), imported: new Map(), declared: new Map() }
  for (const node of program.body as Node[]) {
    if (node.type === 'ImportDeclaration') {
      for (const { local, imported } of node.specifiers as Node[]) module.imported.set(local.name, { name: imported?.name ?? '*', file: pathOf(file, node.source.value) })
    } else if (node.type === 'ExportNamedDeclaration' && !node.declaration) {
      for (const { local, exported } of node.specifiers as Node[]) module.exported.set(exported.name, { name: local.name, file: node.source ? pathOf(file, node.source.value) : file })
    } else {
      declare(module, node, file, source)
    }
  }
  return module
}

function declare({ declared, exported }: Module, node: Node, file: string, source: string): void {
  const declaration: Node = node.declaration ?? node
  const ids: Node[] = declaration.type === 'VariableDeclaration' ? declaration.declarations.map(({ id }: Node) => id) : declaration.id ? [declaration.id] : []
  const [, comment = ''] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(source.slice(0, node.start)) ?? []
  for (const { name } of ids as { name: string }[]) {
    const before = declared.get(name)
    const text = withoutComments(source.slice(declaration.start, declaration.end))
    declared.set(name, {
      text: before ? `${before.text}\n${text}` : text,
      comment: before?.comment ?? comment,
      names: [...(before?.names ?? []), ...namesIn(declaration)].filter((each) => each.name !== name),
    })
    if (node.type === 'ExportNamedDeclaration') exported.set(name, { name, file })
  }
}

function namesIn(node: Node): Name[] {
  if (node === null || typeof node !== 'object') return []
  if (Array.isArray(node)) return node.flatMap(namesIn)
  return [...ownNames(node), ...Object.values(node).flatMap(namesIn)]
}

function ownNames(node: Node): Name[] {
  switch (node.type) {
    case 'TSTypeReference': return leftmost(node.typeName, 'type')
    case 'TSTypeQuery': return leftmost(node.exprName, 'value')
    case 'TSInterfaceHeritage':
    case 'TSClassImplements': return leftmost(node.expression, 'base')
    default: return node.superClass ? leftmost(node.superClass, 'base') : []
  }
}

function leftmost(node: Node, as: Use['as']): Name[] {
  if (node.type === 'Identifier') return [{ name: node.name, as }]
  return node.left ? leftmost(node.left, as) : node.object ? leftmost(node.object, as) : []
}

/** Empty for another package. */
function pathOf(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return ''
  const path = join(dirname(file), specifier).replace(/\.[jt]s$/, '.d.ts')
  return existsSync(path) ? path : ''
}

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^declare /gm, '').split('\n').filter((line) => line.trim() !== '').join('\n')
}
