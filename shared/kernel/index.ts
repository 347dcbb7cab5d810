export {
  dayAfter,
  dayOf,
  dayOfMonth,
  daysBetween,
  daysInMonth,
  daysOfMonth,
  daysUpTo,
  isTimeZone,
  monthBefore,
  monthOfDay,
  nextDayStart,
  nextMonthStart,
  utcDay,
  zoneInForce,
} from './calendar.ts';
export {
  CLOCK_TOLERANCE_MS,
  type Clock,
  clockOffsetMs,
  correctedClock,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  type ReferenceClock,
  refuseWrongClock,
  SECOND_MS,
  wrongClock,
} from './clock.ts';
export { csvRecord } from './csv.ts';
export type { DeepReadonly } from './deep-readonly.ts';
export type { Digest } from './digest.ts';
export { readEnvironment } from './environment.ts';
export { assert, errorCode, UpstreamError, unreachable } from './errors.ts';
export {
  counted,
  figure,
  instant,
  longDay,
  longMonth,
  percent,
  shortDay,
  weekday,
  withHundredths,
} from './format.ts';
export { type Html, html } from './html.ts';
export type { NewId } from './ids.ts';
export { inChunks, mapInChunks } from './in-chunks.ts';
export { parseJson } from './json.ts';
export type { LogFields, Logger } from './logger.ts';
export type { Packing } from './packing.ts';
export { printable, printableJson } from './printable.ts';
export { type QueryValues, readQuery } from './query.ts';
export { type Random, seededRandom } from './random.ts';
export { type CatalogueText, rowText, sentenceRow, type TextParamsOf } from './sentence-row.ts';
export { command, commandText, type OperatorCommand, type Wording, wording, wordingText } from './wording.ts';
