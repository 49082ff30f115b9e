// All problems of a schema.

import { readDeclaration } from '../../src/relations/declaration.ts'
import { DeclarationError } from '../../src/model/sdl/declaration-error.ts'
import { readSdl } from '../../src/model/sdl/read-sdl.ts'
import type { Derive } from '../../src/relations/kind.ts'

export function problemsOf(sdl: string, derive: Derive = {}, file?: string, tenants = false): readonly string[] {
  try {
    readDeclaration(readSdl(sdl, file), derive, tenants)
    return []
  } catch (error) {
    if (error instanceof DeclarationError) return error.problems
    throw error
  }
}
