const isThorough = process.env['SCENARIOS'] === 'all';

/** How often something drawn is repeated: all of it in continuous integration, a fifth in a quick `npm test`. */
export const repeated = (times: number): number => (isThorough ? times : Math.ceil(times / 5));

/** Where something is cut off at its calls, one after the other: at each in continuous integration, at each third in a quick `npm test`. */
export const STRIDE = isThorough ? 1 : 3;
