// A store that reports every round trip to one meter, unless the call brings its own.

import type { Meter, Store } from './store.ts'

export function withMeter(store: Store, meter: Meter): Store {
  return {
    supports: store.supports,
    readMany: (container, keys, own = meter) => store.readMany(container, keys, own),
    lookIn: (container) => store.lookIn(container),
    moment: () => store.moment(),
    asOfMoment: (work) => (store.asOfMoment ? store.asOfMoment(work) : work()),
    query: (query, own = meter) => store.query(query, own),
    queryEach: (query, by, values, own = meter) => store.queryEach(query, by, values, own),
    count: (selection, own = meter) => store.count(selection, own),
    countEach: (selection, by, values, own = meter) => store.countEach(selection, by, values, own),
    aggregate: (selection, aggregation, each, own = meter) => store.aggregate(selection, aggregation, each, own),
    write: (writes, own = meter) => store.write(writes, own),
    atomically: (plan, own = meter) => store.atomically(plan, own),
    feedParts: () => store.feedParts(),
    changes: (part, behind, limit, own = meter) => store.changes(part, behind, limit, own),
    feedEnd: (part) => store.feedEnd(part),
    pointsWithin: (points, container) => store.pointsWithin(points, container),
    pointsOf: (text) => store.pointsOf(text),
    sweepFeed: (part, upTo, limit) => store.sweepFeed(part, upTo, limit),
    position: () => store.position(),
    now: () => store.now(),
    sizes: (container, keys) => store.sizes(container, keys),
    reach: (selection) => store.reach(selection),
    cachedBytes: () => store.cachedBytes(),
    ping: () => store.ping(),
    close: () => store.close(),
  }
}
