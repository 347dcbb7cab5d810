export { systemClock } from './clock.system.ts';
export { createDigest, sha256 } from './digest.system.ts';
export { systemIds } from './ids.system.ts';
export { createPowertoolsLogger, type Invocation } from './logger.powertools.ts';
export { createJsonLogger } from './logger.system.ts';
export { brotliPacking } from './packing.system.ts';
export { systemRandom } from './random.system.ts';
export { type CsvRow, headingKey, readCsv } from './read-csv.csv-parse.ts';
