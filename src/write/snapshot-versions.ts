// The versions in a stored document. `_v` grows with every write; `_c` is the `_v` at which a field that snapshots copy
// last changed. Snapshots carry the version of their source, so an older one never replaces a newer one.

import type { Body } from '../model/json/json.ts'

/** The versions for the next write. `copied` is what snapshots copy of the type, as text; undefined where no snapshot copies it. */
export function nextVersions(before: Body | undefined, body: Body, copied: (body: Body) => string | undefined): Body {
  const last = (before?.['_v'] as number | undefined) ?? 0
  const text = copied(body)
  if (text === undefined) return { _v: last + 1 }
  const same = before && copied(before) === text
  return { _v: last + 1, _c: same ? (before['_c'] ?? last) : last + 1 }
}

/** The body for a repair, which may change any field. */
export function withNextVersion(body: Body): Body {
  const next = ((body['_v'] as number | undefined) ?? 0) + 1
  return { ...body, _v: next, ...(body['_c'] === undefined ? {} : { _c: next }) }
}
