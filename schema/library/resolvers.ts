// The root fields that the library adds to those that Quire generates.

import { mutations } from './mutations.ts'
import { subscriptions } from './subscriptions.ts'

export const resolvers = { ...mutations, ...subscriptions }
