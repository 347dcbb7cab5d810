import { LANES, type Lane } from '#shared/crm';

/** Uses one queue for all lanes, for tests that do not depend on the lane. */
export function oneQueue<Q>(queue: Q): Readonly<Record<Lane, Q>> {
  return Object.fromEntries(LANES.map((lane) => [lane, queue])) as Record<Lane, Q>;
}
