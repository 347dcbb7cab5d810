import { LANES, type Lane } from '#inside/crm/urgency.ts';

/** All lanes lead to one queue, where it does not matter which. */
export function oneQueue<Q>(queue: Q): Readonly<Record<Lane, Q>> {
  return Object.fromEntries(LANES.map((lane) => [lane, queue])) as Record<Lane, Q>;
}
