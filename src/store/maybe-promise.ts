// Values that may be available at once. A promise costs time to make and to await, so a value that is already known is
// passed on as it is.

export type MaybePromise<T> = T | Promise<T>

/** Continues with the value as soon as it is available: at once, or when its promise resolves. */
export function whenReady<T, U>(value: MaybePromise<T>, continueWith: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(continueWith) : continueWith(value)
}

/**
 * All values, as soon as the last is available. If one throws while others are still pending, the result is a rejected
 * promise, so that the pending ones never become unhandled rejections.
 */
export function allReady<T>(count: number, get: (index: number) => MaybePromise<T>): MaybePromise<T[]> {
  const values: MaybePromise<T>[] = []
  let pending = false
  for (let index = 0; index < count; index++) {
    try {
      const value = get(index)
      if (value instanceof Promise) pending = true
      values.push(value)
    } catch (error) {
      if (!pending) throw error
      values.push(Promise.reject(error))
      break
    }
  }
  return pending ? Promise.all(values) : (values as T[])
}
