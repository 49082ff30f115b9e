// Writes a schema from a profile. Quire reads it as it reads any schema; a guess that it refuses is taken back, and the rest is guessed again, so
// the result can always be served.

import { DeclarationError } from '../../model/sdl/declaration-error.ts'
import { readSdl } from '../../model/sdl/read-sdl.ts'
import { readDeclaration, type Declaration } from '../../relations/declaration.ts'
import type { Derive } from '../../relations/kind.ts'
import type { Profile } from '../profile/profile-database.ts'
import { guessDocuments, type Guessed } from './guess-documents.ts'
import { sdlText } from './sdl-text.ts'

export interface InferredSchema {
  readonly sdl: string
  /** The text of `derive.ts`; undefined if nothing is computed. */
  readonly deriveText: string | undefined
  /** The same functions. */
  readonly derive: Derive
  readonly declaration: Declaration
}

/** Each attempt takes something back, so that it ends long before. */
const maxAttempts = 500

/** `title` is the comment at the top. */
export function inferSchema(profile: Profile, title: readonly string[]): InferredSchema {
  const takenBack = new Map<string, number>()
  for (let attempt = 1; ; attempt++) {
    const guessed = guessDocuments(profile, takenBack)
    const sdl = sdlText(guessed, title)
    try {
      const derive = deriveOf(guessed)
      return { sdl, derive, deriveText: deriveTextOf(guessed), declaration: readDeclaration(readSdl(sdl), derive) }
    } catch (error) {
      if (!(error instanceof DeclarationError) || attempt === maxAttempts) throw error
      takeBack(guessed, error.problems, takenBack)
    }
  }
}

function takeBack({ guess, documents }: Guessed, problems: readonly string[], takenBack: Map<string, number>): void {
  const places = new Map([...documents, ...guess.objects.values()].flatMap(({ name, fields }) => fields.map((field) => [`${name}.${field.name}`, field.place])))
  const add = (place: string): void => void takenBack.set(place, (takenBack.get(place) ?? 0) + 1)
  const before = takenBack.size
  for (const problem of problems) {
    const [coordinate] = /\b\w+\.\w+\b(?=:)/.exec(problem) ?? []
    const place = coordinate === undefined ? undefined : places.get(coordinate)
    const document = documents.find(({ name }) => new RegExp(`\\b${name}\\b`).test(problem))
    if (place !== undefined) add(place)
    else if (document) add(/plural|root field/.test(problem) && !takenBack.has(`plural ${document.profile.name}`) ? `plural ${document.profile.name}` : document.profile.name)
  }
  if (takenBack.size === before && problems.every((problem) => !/\w+\.\w+:/.test(problem))) throw new DeclarationError([...problems])
}

function deriveOf({ documents }: Guessed): Derive {
  return Object.fromEntries(documents.flatMap(({ name, fields }) => {
    const computed = fields.flatMap((field) => (field.derived ? [[field.name, field.derived.compute] as const] : []))
    return computed.length === 0 ? [] : [[name, Object.fromEntries(computed)]]
  }))
}

function deriveTextOf({ documents }: Guessed): string | undefined {
  const types = documents.flatMap(({ name, fields }) => {
    const computed = fields.flatMap((field) => (field.derived ? [`    // ${field.derived.evidence}\n    ${field.name}: ${field.derived.code},\n`] : []))
    return computed.length === 0 ? [] : [`  ${name}: {\n${computed.join('')}  },\n`]
  })
  if (types.length === 0) return undefined
  return `// The functions of @derived fields, guessed from copies of their values. Each gets one stored document; its type comes from the SDL.\n\nimport type { Derive } from './quire.generated.ts'\n\nexport const derive: Derive = {\n${types.join('')}}\n`
}
