export { csvRecord } from './csv.ts';
export type { DeepReadonly } from './deep-readonly.ts';
export { readEnvironment } from './environment.ts';
export { assert, errorCode, parseJson, UpstreamError, unreachable } from './errors.ts';
export { type Html, html } from './html.ts';
export { inChunks, mapInChunks } from './in-chunks.ts';
export type { LogFields, Logger } from './logger.ts';
export { type Digest, type NewId, type Packing, type Random, seededRandom } from './ports.ts';
export { type QueryValues, readQuery } from './query.ts';
export {
  type CatalogueText,
  command,
  commandText,
  counted,
  figure,
  instant,
  longDay,
  longMonth,
  type OperatorCommand,
  percent,
  printable,
  printableJson,
  rowText,
  sentenceRow,
  shortDay,
  type TextParamsOf,
  type Wording,
  weekday,
  withHundredths,
  wording,
  wordingText,
} from './text.ts';
export {
  CLOCK_TOLERANCE_MS,
  type Clock,
  clockOffsetMs,
  correctedClock,
  DAY_MS,
  dayAfter,
  dayOf,
  dayOfMonth,
  daysBetween,
  daysInMonth,
  daysOfMonth,
  daysUpTo,
  HOUR_MS,
  isTimeZone,
  MINUTE_MS,
  monthBefore,
  monthOfDay,
  nextDayStart,
  nextMonthStart,
  type ReferenceClock,
  refuseWrongClock,
  SECOND_MS,
  utcDay,
  wrongClock,
  zoneInForce,
} from './time.ts';
