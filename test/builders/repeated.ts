/** Whether all repetitions run, and what is slow for what its like shows. */
export const isThorough = process.env['SCENARIOS'] === 'all';

/** Number of repetitions of a random test: all in continuous integration, a fifth in a quick `npm test`. */
export const repeated = (times: number): number => (isThorough ? times : Math.ceil(times / 5));

/**
 * Distance between the calls at which a test cuts a process off: each call in continuous integration, each third in a
 * quick `npm test`.
 */
export const STRIDE = isThorough ? 1 : 3;
