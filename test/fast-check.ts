// fast-check with a seed: every run of the tests tries the same examples, so a run that fails here fails
// everywhere. SEED=random (or a number) tries others; a failure says which seed it was.

import fc from 'fast-check'

const { SEED: seed = '20261116' } = process.env
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) })

export default fc
