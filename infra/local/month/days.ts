import { DAY_MS, HOUR_MS } from '#shared/kernel';

const [SUNDAY, SATURDAY] = [0, 6];

/** Times in the month, counted in days before its end. Office hours are in UTC, like the days of the default policy. */
export function daysBefore(endMs: number) {
  const todayMs = Math.floor(endMs / DAY_MS) * DAY_MS;
  const isWorkday = (days: number) => {
    const weekday = new Date(todayMs - days * DAY_MS).getUTCDay();
    return weekday !== SUNDAY && weekday !== SATURDAY;
  };
  /** Number of days back to the last working day that is at least `days` ago. */
  const workday = (days: number): number => (isWorkday(days) ? days : workday(days + 1));
  return {
    /** Epoch milliseconds. */
    at: (days: number, hour: number) => todayMs - days * DAY_MS + hour * HOUR_MS,
    /** Epoch milliseconds, on the last working day that is at least `days` ago. */
    atWork: (days: number, hour: number) => todayMs - workday(days) * DAY_MS + hour * HOUR_MS,
    /** Working days from `from` to `to` days ago, as numbers of days ago, oldest first. */
    workdays: (from: number, to: number) =>
      Array.from({ length: from - to + 1 }, (_, index) => from - index).filter(isWorkday),
  };
}
