// Answers that may be there already. A promise costs its maker and everyone who awaits it, so what is in hand is
// handed on as it is, and only what has to be waited for is a promise.

export type MaybePromise<T> = T | Promise<T>

/** Goes on with an answer when it is there. */
export function whenReady<T, U>(answer: MaybePromise<T>, goOn: (answer: T) => MaybePromise<U>): MaybePromise<U> {
  return answer instanceof Promise ? answer.then(goOn) : goOn(answer)
}

/**
 * All answers that are asked for, as soon as the last is there. One may be refused while others are under way:
 * those are waited for by nobody, and must not be rejections that nobody sees.
 */
export function allThere<T>(count: number, ask: (at: number) => MaybePromise<T>): MaybePromise<T[]> {
  const answers: MaybePromise<T>[] = []
  let later = false
  for (let at = 0; at < count; at++) {
    try {
      const answer = ask(at)
      if (answer instanceof Promise) later = true
      answers.push(answer)
    } catch (error) {
      if (!later) throw error
      answers.push(Promise.reject(error))
      break
    }
  }
  return later ? Promise.all(answers) : (answers as T[])
}
