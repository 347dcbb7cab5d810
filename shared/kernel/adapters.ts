export { createPowertoolsLogger, type Invocation } from './logger.powertools.ts';
export { createJsonLogger } from './logger.system.ts';
export { brotliPacking, createDigest, sha256, systemClock, systemIds, systemRandom } from './ports.system.ts';

export { type CsvRow, headingKey, readCsv } from './read-csv.csv-parse.ts';
