import { DAY_MS, HOUR_MS } from '#shared/kernel';

const [SUNDAY, SATURDAY] = [0, 6];

/** The days of the month, counted back from its end. Office hours are in UTC, as the days of the policy's default. */
export function daysBefore(endMs: number) {
  const todayMs = Math.floor(endMs / DAY_MS) * DAY_MS;
  const isWorkday = (days: number) => {
    const weekday = new Date(todayMs - days * DAY_MS).getUTCDay();
    return weekday !== SUNDAY && weekday !== SATURDAY;
  };
  /** The last working day that is at least so many days ago. */
  const workday = (days: number): number => (isWorkday(days) ? days : workday(days + 1));
  return {
    /** Epoch milliseconds. */
    at: (days: number, hour: number) => todayMs - days * DAY_MS + hour * HOUR_MS,
    /** The same, on the last working day that is at least so many days ago. */
    atWork: (days: number, hour: number) => todayMs - workday(days) * DAY_MS + hour * HOUR_MS,
    /** All working days from the one ago to the other, oldest first, each as how many days ago it was. */
    workdays: (from: number, to: number) =>
      Array.from({ length: from - to + 1 }, (_, index) => from - index).filter(isWorkday),
  };
}
