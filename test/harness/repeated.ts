/** Whether all repetitions run, and what is slow for what its like shows. */
export const isThorough = process.env['SCENARIOS'] === 'all';

/** Number of repetitions of a random test: all at night, a tenth in a quick `npm test`. */
export const repeated = (times: number): number => (isThorough ? times : Math.ceil(times / 10));

/**
 * Distance between the calls at which a test cuts a process off: each call at night, each seventeenth in a quick `npm test`.
 * Seventeen has no factor in common with the kinds of cuts, so each kind has its turn.
 */
export const STRIDE = isThorough ? 1 : 17;
