// Values that may be available at once. A promise costs time to make and to await, so a value that is already known is
// passed on as it is, and one that comes with a wave of reads is `Pending`, whose callbacks run as soon as it is there.

/**
 * A value, or a promise of it.
 *
 * @example
 * ```ts
 * const length = async (page: MaybePromise<readonly StoredDocument[]>) => (await page).length
 * ```
 */
export type MaybePromise<T> = T | Promise<T>

/** A value, or what brings it. */
export type MaybePending<T> = T | Promise<T> | Pending<T>

/** Like a promise, except that its callbacks run at once and not in a microtask of their own. An error without a callback is dropped. */
export class Pending<T> implements PromiseLike<T> {
  #settled: { readonly value: T } | { readonly error: unknown } | undefined
  #callbacks: (() => void)[] | undefined

  get isSettled(): boolean {
    return this.#settled !== undefined
  }

  /** The value, or a promise of it; throws if it has failed. */
  outcome(): MaybePromise<T> {
    if (this.#settled === undefined) return new Promise((resolve, reject) => void this.then(resolve, reject))
    if ('error' in this.#settled) throw this.#settled.error
    return this.#settled.value
  }

  resolve(value: T): void {
    this.#settle({ value })
  }

  reject(error: unknown): void {
    this.#settle({ error })
  }

  // oxlint-disable-next-line no-thenable -- it is one: `await` must work on it
  then<U = T, V = never>(onValue?: ((value: T) => U | PromiseLike<U>) | null, onError?: ((error: unknown) => V | PromiseLike<V>) | null): Pending<U | V> {
    const next = new Pending<U | V>()
    const run = (): void => {
      const settled = this.#settled!
      try {
        if ('value' in settled) next.#follow(onValue ? onValue(settled.value) : (settled.value as unknown as U))
        else if (onError) next.#follow(onError(settled.error))
        else next.reject(settled.error)
      } catch (error) {
        next.reject(error)
      }
    }
    if (this.#settled) run()
    else (this.#callbacks ??= []).push(run)
    return next
  }

  #follow(value: T | PromiseLike<T>): void {
    if (isAwaited(value)) value.then((known) => this.resolve(known), (error: unknown) => this.reject(error))
    else this.resolve(value)
  }

  #settle(settled: { readonly value: T } | { readonly error: unknown }): void {
    if (this.#settled) return
    this.#settled = settled
    const callbacks = this.#callbacks
    this.#callbacks = undefined
    if (callbacks) for (const callback of callbacks) callback()
  }
}

/** Continues with the value as soon as it is available. */
export function whenReady<T, U>(value: MaybePromise<T>, continueWith: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(continueWith) : continueWith(value)
}

/** The same for a value that may come with a wave of reads. */
export function whenRead<T, U>(value: MaybePending<T>, continueWith: (value: T) => MaybePending<U>): MaybePending<U> {
  return isAwaited(value) ? (value as Pending<T>).then(continueWith) : continueWith(value)
}

/**
 * All values, as soon as the last is available. If one throws while others are still pending, the result is a rejection, so
 * that the pending ones never become unhandled rejections.
 */
export function allRead<T>(count: number, get: (index: number) => MaybePending<T>): MaybePending<T[]> {
  const values: MaybePending<T>[] = []
  let [promises, pending] = [false, false]
  for (let index = 0; index < count; index++) {
    try {
      const value = get(index)
      if (value instanceof Promise) promises = true
      else if (value instanceof Pending) pending = true
      values.push(value)
    } catch (error) {
      if (!promises && !pending) throw error
      promises = true
      values.push(Promise.reject(error))
      break
    }
  }
  if (promises) return Promise.all(values)
  return pending ? allPending(values as (T | Pending<T>)[]) : (values as T[])
}

function allPending<T>(values: readonly (T | Pending<T>)[]): Pending<T[]> {
  const all = new Pending<T[]>()
  const known: T[] = []
  let left = values.length
  for (const [at, value] of values.entries()) {
    const put = (one: T): void => {
      known[at] = one
      if (--left === 0) all.resolve(known)
    }
    if (value instanceof Pending) value.then(put, (error: unknown) => all.reject(error))
    else put(value)
  }
  return all
}

function isAwaited<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return value instanceof Pending || value instanceof Promise
}
