// The names that tenants may have. A name comes from a verified token or from a command line. Documents hold it as a
// value, and partition keys as their first part, so it can never be confused with another name or with what follows it.

/** As UTF-8. A whole partition key has at most 2048 bytes. */
export const maxTenantBytes = 256

/** A text that every store keeps unchanged: not empty, not too long, without control characters or halves of surrogate pairs. */
export function isTenantName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && name.isWellFormed() && !/\p{Cc}/u.test(name) && Buffer.byteLength(name) <= maxTenantBytes
}
