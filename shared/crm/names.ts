/**
 * `urgent`: somebody waits at this moment, or the law does. `live`: fresh leads. `bulk`: what comes in masses and takes
 * what is left. The earlier one goes first everywhere: in the queues, at the vendor's rate, in the budgets.
 */
export const LANES = ['urgent', 'live', 'bulk'] as const;
export type Lane = (typeof LANES)[number];
