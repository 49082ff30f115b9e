// Faults of one line, each put back into the product: the test beside it must notice. The simulation's own are in
// simulation/planted-bugs.ts.

export interface Mutant {
  /** What is wrong with it. */
  readonly what: string
  readonly file: string
  /** Stands once in the file. */
  readonly line: string
  readonly becomes: string
  /** The file of the test, and a part of its title. */
  readonly test: string
  readonly title: string
}

export const mutants: readonly Mutant[] = [
  { what: 'documents behind references are not counted', file: 'src/execute/compiled/run.ts', line: '(running.rows += rows) > running.maxRows', becomes: '(running.rows += rows) > Infinity', test: 'test/execute/answer/answer-too-large.test.ts', title: 'too many rows' },
  { what: 'objects of lists are completed for nothing', file: 'src/execute/answer/answer-size.ts', line: 'this.#fields += Math.min(value.length, objectsAtOnce)', becomes: 'this.#fields += 0', test: 'test/execute/answer/answer-too-large.test.ts', title: 'completes no more objects' },
  { what: 'a wave is sent in one stretch', file: 'src/read/wave-scheduler.ts', line: 'wave.length > callsPerTurn && !this.#held', becomes: 'wave.length > Infinity', test: 'test/execute/answer/answer-too-large.test.ts', title: 'no more calls of the store' },
  { what: 'types do not share what is below them', file: 'src/plan/plan-operation.ts', line: 'possible.length > 1 ? new Map() : undefined', becomes: 'undefined', test: 'test/plan/shared-nodes.test.ts', title: 'an operation through 25 levels' },
  { what: 'fragments that do not apply take no steps', file: 'src/plan/collect-fields.ts', line: 'steps.take(1, selection)', becomes: 'void steps', test: 'test/http/limits/request-steps.test.ts', title: 'fragments that do not apply ends' },
  { what: 'arguments take no steps', file: 'src/plan/plan-operation.ts', line: 'stepsPerNode + this.#argumentsOf(nodes[0]!)', becomes: 'stepsPerNode', test: 'test/http/limits/request-steps.test.ts', title: 'the arguments of a field' },
  { what: 'values of variables take no steps', file: 'src/plan/plan-operation.ts', line: 'steps.take(countValues(variables))', becomes: 'void countValues(variables)', test: 'test/http/limits/request-steps.test.ts', title: 'coercion ends' },
  { what: 'variables in fragments are validated for nothing', file: 'src/http/limits/validate-within.ts', line: 'steps.take(found.length, operation)', becomes: 'void operation', test: 'test/http/limits/request-steps.test.ts', title: 'validation: variables' },
  { what: 'a caller may hold all subscriptions', file: 'src/http/subscriptions/open-subscriptions.ts', line: '>= subscriptionsPerCaller', becomes: '>= subscriptions', test: 'test/http/load/subscriptions.test.ts', title: 'the limit for one caller' },
  { what: 'long work is not cut', file: 'src/store/work-slice.ts', line: 'return left > 0 ? undefined : turn()', becomes: 'return left > 0 || true ? undefined : turn()', test: 'test/write/slices.test.ts', title: 'a rename reads and writes' },
  { what: 'any host is this machine', file: 'src/http/local-hosts.ts', line: "isLoopback(hostname) || isIP(hostname.replace(/^\\[(.*)\\]$/, '$1')) !== 0", becomes: 'isLoopback(hostname) || isIP(hostname) >= 0', test: 'test/serve/allowed-hosts.test.ts', title: '' },
  { what: 'a text with a NUL may be an operation', file: 'src/execute/operation-cache.ts', line: "text.includes('\\0') || operationName?.includes('\\0')", becomes: "text === '\\0'", test: 'test/execute/operation-cache.test.ts', title: 'NUL' },
  { what: 'a closed pipe is an error', file: 'src/cli/command/closed-output.ts', line: "error.code !== 'EPIPE'", becomes: "error.code !== 'ENONE'", test: 'test/cli/closed-output.test.ts', title: '' },
  { what: 'a fragment that does not exist counts as nothing', file: 'src/http/limits/check-document.ts', line: 'size.spreads += 1 - own + below.spreads', becomes: 'size.spreads += below.spreads', test: 'test/http/limits/check-document.test.ts', title: 'a fragment too many' },
  { what: 'a change wakes all subscribers at once', file: 'src/feed/change-stream.ts', line: 'const wokenTogether = 20', becomes: 'const wokenTogether = 2000', test: 'test/http/load/subscriptions.test.ts', title: 'a change wakes only some' },
  { what: 'what is waited for counts as work', file: 'src/feed/change-stream.ts', line: 'this.#wakingMs += this.#clock.now() - beganMs', becomes: 'this.#wakingMs += this.#clock.now()', test: 'test/feed/slow-feed.test.ts', title: '' },
  { what: 'all errors in variables are collected', file: 'src/http/plugins/use-operation.ts', line: 'maxCoercionErrors: 5', becomes: 'maxCoercionErrors: 50_000', test: 'test/http/limits/bad-variables.test.ts', title: '' },
  { what: 'a compressed body is read as JSON', file: 'src/http/plugins/use-csrf-protection.ts', line: "encoding !== null && encoding.trim() !== ''", becomes: "encoding === 'none' && encoding.trim() !== ''", test: 'test/http/production/profile.test.ts', title: '' },
  { what: 'texts that are asked once are kept', file: 'src/store/running/seen-before.ts', line: 'if (this.#hashes[at] === hash) return false', becomes: 'if (hash !== 0) return false', test: 'test/http/limits/document-caches.test.ts', title: 'texts that are sent once' },
  { what: 'a compiled answer is parsed again', file: 'src/execute/compiled/compiled-query.ts', line: 'this.#executed ? Boolean(result.data) : errors.length === 0', becomes: 'Boolean(result.data)', test: 'test/execute/compiled/not-parsed-again.test.ts', title: 'not parsed again' },
]
