// A compiled operation writes answers in which nothing is wrong. Whatever else it comes upon (a null
// where there must be none, a reference to nothing, a store that does not answer) it leaves to GraphQL.js,
// which runs the operation again with the same reads and says what is wrong, where, and what becomes null.

export class GiveUp extends Error {
  override readonly name = 'GiveUp'
}
