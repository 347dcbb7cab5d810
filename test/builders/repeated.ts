/** How often something drawn is repeated: all of it in continuous integration, a fifth in a quick `npm test`. */
export const repeated = (times: number): number =>
  process.env['SCENARIOS'] === 'all' ? times : Math.ceil(times / 5);
