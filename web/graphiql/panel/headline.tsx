// The summary: round trips and RU of the run, compared with naive execution.

import type { CostReport } from '../../../src/observe/cost-report.ts'
import { plural, figure, milliseconds } from './format.ts'

export function Headline({ costReport }: { costReport: CostReport }) {
  const { made, naive, saved, estimated, staleness } = costReport
  return (
    <section className="rt-headline" aria-label="Summary" role="status">
      <div className="rt-figures">
        <p className="rt-big">
          <strong>{figure(made.roundTrips)}</strong>
          <span>
            <span className="rt-what">{made.roundTrips === 1 ? 'round trip' : 'round trips'}</span>{' '}
            <span className="rt-instead">{naive.roundTrips > made.roundTrips ? <>instead of <b>{figure(naive.roundTrips)}</b></> : 'same as naive'}</span>
          </span>
        </p>
        <p className="rt-charge">
          <span><strong>{figure(made.requestCharge)}</strong> RU</span>
          {naive.requestCharge > made.requestCharge && <span>instead of <b>{figure(naive.requestCharge)}</b></span>}
          {estimated && <span className="rt-estimated" title="This store does not report RU. They are estimated with a documented cost model.">estimated</span>}
        </p>
      </div>
      <ul className="rt-facts">
        <li>{plural(made.waves, 'wave')}{naive.waves > made.waves && ` instead of ${figure(naive.waves)}`}</li>
        {saved.bySnapshots > 0 && <li>{plural(saved.bySnapshots, 'round trip')} saved by snapshots</li>}
        {saved.byBatching > 0 && <li>{figure(saved.byBatching)} saved by batching</li>}
        {saved.bySnapshots > 0 && <li>{age(staleness.boundMs)}</li>}
      </ul>
    </section>
  )
}

/** How old the snapshots can be that answered. */
function age(boundMs: number | null): string {
  if (boundMs === null) return 'snapshots of unknown age: the change feed has not caught up'
  return boundMs === 0 ? 'snapshots are current' : `snapshots at most ${milliseconds(boundMs)} old`
}
