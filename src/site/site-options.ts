// The options of a gateway that concern its pages. They name no type of Yoga, because the package's types must not depend on it.

import type { Example } from './first-operation.ts'

export interface SiteOptions {
  readonly development?: boolean
  /** The operations that GraphiQL opens with; default one that fits the schema. */
  readonly examples?: readonly Example[]
  /** Whether everyone may see the storage map and the totals on the landing page; default only in development. */
  readonly openPages?: boolean | undefined
  /** The folder with the built GraphiQL page. @internal */
  readonly builtPages?: string
}
