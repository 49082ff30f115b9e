// The operations and servers that `--only` names: of each kind those named, or all if none is.

import { contenders, type Contender } from './contenders.ts'
import { installPeers } from './install-peers.ts'
import type { Operation } from './operations/operation.ts'
import { chosen, type Options } from './suite.ts'

export interface ChosenParts {
  readonly operations: readonly Operation[]
  readonly contenders: readonly Contender[]
}

export function chosenParts(operations: readonly Operation[], options: Options): ChosenParts {
  const named = new Set(chosen<Operation | Contender>([...operations, ...contenders], options).map(({ name }) => name))
  const parts = { operations: namedOrAll(operations, named), contenders: namedOrAll(contenders, named) }
  if (parts.contenders.some(({ kind }) => kind === 'peer')) installPeers()
  return parts
}

export function namedOrAll<T extends { readonly name: string }>(all: readonly T[], named: ReadonlySet<string>): readonly T[] {
  const some = all.filter(({ name }) => named.has(name))
  return some.length > 0 ? some : all
}
