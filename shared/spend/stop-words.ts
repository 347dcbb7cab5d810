import { counted, instant } from '#shared/kernel';
import { eventThatEnds } from '#shared/records';
import type { Stop } from './stops.ts';

/**
 * Returns the begin, the end or retry, and the waiting records of a stop. For example: `Since 21 Nov 2026, 08:44;
 * retried after 21 Nov 2026, 09:00; 12 records wait for it.`
 */
export function stopTimes(
  { sinceMs, untilMs, untilResumed, records, isMore, kind }: Stop,
  nowMs: number,
  timeZone: string,
): string {
  const fixedEnd = FIXED_ENDS.get(kind);
  const later =
    untilMs !== undefined && untilMs > nowMs
      ? `after ${instant(untilMs, timeZone)}`
      : 'with the next question';
  const parts = [
    ...(sinceMs === undefined ? [] : [`since ${instant(sinceMs, timeZone)}`]),
    ...(untilMs === undefined
      ? []
      : [fixedEnd === undefined ? `retried ${later}` : `until ${instant(untilMs, timeZone)}${fixedEnd}`]),
    ...(untilResumed
      ? [
          `${kind === 'stopped-by-person' ? 'lasts' : 'records wait'} until ${eventThatEnds('stopped-by-person')}`,
        ]
      : []),
    ...(records === undefined ? [] : [waitingRecordsWords(records, isMore ?? false)]),
  ].join('; ');
  return parts === '' ? '' : `${parts.slice(0, 1).toUpperCase()}${parts.slice(1)}.`;
}

/** Stops that end at a time, with the words after the time. Other records may use the credits of a reserve first. */
const FIXED_ENDS: ReadonlyMap<Stop['kind'], string> = new Map([
  ['budget-used-up', ''],
  ['reserved-for-leads', ' at the earliest'],
]);

function waitingRecordsWords(records: number, isMore: boolean): string {
  if (records === 0) return 'no record waits for it';
  return `${counted(records, 'record')}${isMore ? ' or more' : ''} ${records === 1 ? 'waits' : 'wait'} for it`;
}
