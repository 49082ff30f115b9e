// The other gateways behind the same address, as the feed of one of them sees them. They run in processes of their own
// (serve/workers/), and one of them at a time carries changes to snapshots.

export interface FeedSiblings {
  /** This gateway has written documents. */
  tell(): void
  /** Calls whenever another one has. A hint, as change-signal.ts sends it between machines: a change without it is found by the next look. */
  onTold(wake: () => void): void
  /**
   * Calls when this gateway begins to carry changes, with the owner of its leases, and with undefined when it has to stop. The
   * owner is the same for each of the siblings: one that takes over from another has its leases, and need not wait for them to expire.
   */
  onAppointed(appoint: (owner: string | undefined) => void): void
}
