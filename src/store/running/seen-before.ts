// Recognises texts that come again, so that only those get a place in a cache. It keeps a hash of each text in a table of fixed size:
// clients that write values into their texts never send one twice, and must neither take memory nor evict texts that other clients repeat.

export class SeenBefore {
  readonly #hashes = new Int32Array(size)
  /** Requests whose text was new: one that goes on from the fast path to Yoga asks only once. */
  readonly #requests = new WeakSet<object>()

  /** Whether no other request has sent this text lately. Texts whose hashes collide count as the same, which costs a place in a cache. */
  isFirst(text: string, request?: object): boolean {
    if (request && this.#requests.has(request)) return true
    const hash = hashOf(text)
    const at = hash & (size - 1)
    if (this.#hashes[at] === hash) return false
    this.#hashes[at] = hash
    if (request) this.#requests.add(request)
    return true
  }
}

/** A power of two. */
const size = 16_384

/** FNV-1a over UTF-16. Never 0, which an empty place in the table has. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash === 0 ? 1 : hash
}
