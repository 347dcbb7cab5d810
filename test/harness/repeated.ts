/** Whether all repetitions run, and what is slow for what its like shows. */
export const isThorough = process.env['SCENARIOS'] === 'all';

/** Number of repetitions of a random test: all at night, a fifth in a quick `npm test`. */
export const repeated = (times: number): number => (isThorough ? times : Math.ceil(times / 5));

/**
 * Distance between the calls at which a test cuts a process off: each call at night, each eleventh in a quick `npm test`.
 * Eleven has no factor in common with the kinds of cuts, so each kind has its turn.
 */
export const STRIDE = isThorough ? 1 : 11;
