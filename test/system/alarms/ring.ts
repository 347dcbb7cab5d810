import { MINUTE_MS } from '#shared/kernel';
import { ALARMS, type AlarmDefinition, titleOf } from '../../../infra/aws/alarm-list.ts';
import { type AlarmState, evaluate, MORE_PERIODS } from './cloudwatch.ts';
import { seriesOf, statisticOf } from './series.ts';
import type { Station } from './station.ts';

/** An alarm that told the operator. Minutes are counted from a moment that the caller names. */
export interface Ring {
  readonly alarm: string;
  readonly minute: number;
  /** When it told that all is well again, if it did. */
  readonly overMinute?: number;
}

export interface Listening {
  /** Epoch milliseconds of minute 0. */
  readonly zeroMs: number;
  readonly morePeriods?: number;
}

const DAY_MINUTES = 1_440;

/** Evaluates every alarm in every minute since the stack was created. @returns in the order in which they rang. */
export function ringsOf(station: Station, listening: Listening): readonly Ring[] {
  return ALARMS.flatMap((alarm) => ringsOfAlarm(station, alarm, listening)).sort(
    (a, b) => a.minute - b.minute || (a.alarm < b.alarm ? -1 : 1),
  );
}

function ringsOfAlarm(
  { store, startMs, world }: Station,
  alarm: AlarmDefinition,
  { zeroMs, morePeriods = MORE_PERIODS }: Listening,
): Ring[] {
  const rings: Ring[] = [];
  const what = { store, series: seriesOf(alarm.source), statistic: statisticOf(alarm.source), morePeriods };
  const zero = Math.floor(zeroMs / MINUTE_MS);
  // As CloudWatch creates it.
  let before: AlarmState = 'INSUFFICIENT_DATA';
  for (let minute = startMs / MINUTE_MS; minute <= world.clock.now() / MINUTE_MS; minute += 1) {
    if (isSeldom(alarm) && minute % 60 !== 0) continue;
    const state = evaluate(alarm, { ...what, minute, before });
    if (tells(alarm, before, state)) rings.push({ alarm: titleOf(alarm), minute: minute - zero });
    const last = rings.at(-1);
    if (state === 'OK' && before !== 'OK' && last)
      rings[rings.length - 1] = { ...last, overMinute: minute - zero };
    before = state;
  }
  return rings;
}

/** CloudWatch evaluates alarms that look back for more than a day once an hour. */
function isSeldom({ periods, periodMinutes }: AlarmDefinition): boolean {
  return periods * periodMinutes > DAY_MINUTES;
}

/** Actions belong to changes of the state. */
function tells({ missing }: AlarmDefinition, before: AlarmState, state: AlarmState): boolean {
  if (state === before) return false;
  return state === 'ALARM' || (missing === 'silence' && state === 'INSUFFICIENT_DATA');
}
