// What went wrong in an answer, as far as that is the same however it was made.

import { expect } from 'vitest'

export interface Answer {
  readonly data?: unknown
  readonly errors?: readonly { readonly path?: readonly (string | number)[]; readonly extensions: { readonly code: string } }[]
}

/** The places that became null for an error. Where several errors make the same place null, which of them is told is left to chance. */
export function failedIn({ data, errors = [] }: Answer): string[] {
  return [...new Set(errors.map(({ path = [] }) => {
    let at = data as Record<string | number, unknown> | null | undefined
    const walked = path.filter((key) => {
      const deeper = at !== null && at !== undefined
      at = at?.[key] as typeof at
      return deeper
    })
    expect(at ?? null).toBeNull()
    return JSON.stringify(walked)
  }))].toSorted()
}
