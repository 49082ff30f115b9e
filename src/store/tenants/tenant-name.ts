// What a tenant may be called. A name comes from a verified token or from whoever runs a command, and ends up
// as a value in documents and as the first part of their partition keys, by itself: no two names, and no name
// and whatever stands behind it, can be taken for one another.

/** As UTF-8. A partition key as a whole holds 2048. */
export const maxTenantBytes = 256

/** A text that every store keeps as it is: not empty, not too long, no control characters, no halves of surrogate pairs. */
export function isTenantName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && name.isWellFormed() && !/\p{Cc}/u.test(name) && Buffer.byteLength(name) <= maxTenantBytes
}
