// Partial updates: add, set, replace, remove, incr and move, one after the other on a copy of the document, so that one that cannot be
// done leaves nothing behind (https://learn.microsoft.com/azure/cosmos-db/partial-document-update).

import { isObject } from '../../model/json/json.ts'
import { Refusal } from '../http-messages.ts'

const mostOperations = 10

export interface Patch {
  readonly operations: readonly unknown[]
  /** FROM c WHERE … */
  readonly condition: string | undefined
}

export function readPatch(sent: unknown): Patch {
  const body = isObject(sent) ? sent : { operations: sent }
  const { operations, condition } = body as { operations?: unknown; condition?: unknown }
  if (!Array.isArray(operations) || operations.length === 0) throw new Refusal(400, 'A patch needs a list of operations.')
  if (operations.length > mostOperations) throw new Refusal(400, `A patch may have ${mostOperations} operations.`)
  return { operations, condition: typeof condition === 'string' && condition !== '' ? condition : undefined }
}

export function patched(document: Readonly<Record<string, unknown>>, { operations }: Patch): Record<string, unknown> {
  const copy = structuredClone(document) as Record<string, unknown>
  for (const operation of operations) apply(copy, operation)
  return copy
}

function apply(document: Record<string, unknown>, operation: unknown): void {
  const { op, path, value, from } = isObject(operation) ? operation : {}
  const steps = stepsOf(path)
  const [parent, name] = place(document, steps)
  switch (op) {
    case 'add': return put(parent, name, value, true)
    case 'set': return put(parent, name, value, false)
    case 'replace': {
      mustExist(parent, name, path)
      return put(parent, name, value, false)
    }
    case 'remove': {
      mustExist(parent, name, path)
      return remove(parent, name)
    }
    case 'incr': {
      const before = valueAt(parent, name) ?? 0
      if (typeof before !== 'number' || typeof value !== 'number') throw new Refusal(400, `${String(path)} can only be incremented by a number where a number is.`)
      return put(parent, name, before + value, false)
    }
    case 'move': {
      const [source, old] = place(document, stepsOf(from))
      mustExist(source, old, from)
      const moved = valueAt(source, old)
      remove(source, old)
      return put(...place(document, steps), moved, true)
    }
    default: throw new Refusal(400, `A patch cannot ${String(op)}.`)
  }
}

type Parent = Record<string, unknown> | unknown[]

function stepsOf(path: unknown): string[] {
  if (typeof path !== 'string' || !path.startsWith('/') || path === '/') throw new Refusal(400, `'${String(path)}' is not the path of a property.`)
  const steps = path.slice(1).split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (steps[0] === 'id' || steps[0]!.startsWith('_')) throw new Refusal(400, `${path} cannot be patched.`)
  return steps
}

/** What holds the last step of a path. */
function place(document: Record<string, unknown>, steps: readonly string[]): [Parent, string] {
  let parent: unknown = document
  for (const step of steps.slice(0, -1)) parent = isParent(parent) ? valueAt(parent, step) : undefined
  if (!isParent(parent)) throw new Refusal(400, `There is nothing at /${steps.slice(0, -1).join('/')} to patch.`)
  return [parent, steps.at(-1)!]
}

function isParent(value: unknown): value is Parent {
  return typeof value === 'object' && value !== null
}

function valueAt(parent: Parent, name: string): unknown {
  return Object.hasOwn(parent, name) ? (parent as Record<string, unknown>)[name] : undefined
}

/** In a list, `-` is its end, and what is inserted moves the rest on. */
function put(parent: Parent, name: string, value: unknown, inserts: boolean): void {
  if (!Array.isArray(parent)) return void Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true })
  const index = name === '-' ? parent.length : Number(name)
  if (!Number.isInteger(index) || index < 0 || index > parent.length) throw new Refusal(400, `${name} is no place in the list.`)
  parent.splice(index, inserts ? 0 : 1, value)
}

function remove(parent: Parent, name: string): void {
  if (Array.isArray(parent)) parent.splice(Number(name), 1)
  else delete parent[name]
}

function mustExist(parent: Parent, name: string, path: unknown): void {
  if (valueAt(parent, name) === undefined) throw new Refusal(400, `There is nothing at ${String(path)}.`)
}
