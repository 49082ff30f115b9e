// An error that tells the client that nothing was written.

import { ClientVisibleError } from '../../src/errors.ts'

export class BadInput extends ClientVisibleError {
  override readonly name = 'BadInput'
  override readonly code = 'BAD_USER_INPUT'

  constructor() {
    super('Planted.')
  }
}
