// The root fields that the shipped schema adds by itself.

import { mutations } from './mutations.ts'
import { subscriptions } from './subscriptions.ts'

export const resolvers = { ...mutations, ...subscriptions }
