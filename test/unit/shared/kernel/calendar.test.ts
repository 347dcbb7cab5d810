import { describe, expect, it } from 'vitest';
import { dayOf, HOUR_MS, nextDayStart, nextMonthStart, zoneInForce } from '#shared/kernel';

const BERLIN = 'Europe/Berlin';

const NEW_YORK = 'America/New_York';

const iso = (ms: number) => new Date(ms).toISOString();

describe('the calendar of a time zone', () => {
  it.each([
    [BERLIN, '2026-11-17T23:00:00.000Z', '2026-11-18'],
    [BERLIN, '2026-12-31T23:00:00.000Z', '2027-01-01'],
    [NEW_YORK, '2026-11-18T04:59:59.999Z', '2026-11-17'],
    [NEW_YORK, '2026-11-18T05:00:00.000Z', '2026-11-18'],
    [NEW_YORK, '2028-03-01T04:59:59.999Z', '2028-02-29'],
  ])('in %s has at %s the day %s', (timeZone, at, day) => {
    expect(dayOf(Date.parse(at), timeZone)).toBe(day);
  });

  it.each([
    [BERLIN, '2026-11-18T12:00:00Z', '2026-11-18T23:00:00.000Z', 'an ordinary day'],
    [BERLIN, '2026-03-28T23:00:00Z', '2026-03-29T22:00:00.000Z', 'a day of 23 hours'],
    [BERLIN, '2026-10-24T22:00:00Z', '2026-10-25T23:00:00.000Z', 'a day of 25 hours'],
    ['America/Santiago', '2026-09-05T12:00:00Z', '2026-09-06T04:00:00.000Z', 'a next day without midnight'],
    ['Asia/Kolkata', '2026-11-21T12:00:00Z', '2026-11-21T18:30:00.000Z', 'half an hour off'],
  ])('in %s begins the day after %s at %s: %s', (timeZone, at, next) => {
    expect(iso(nextDayStart(Date.parse(at), timeZone))).toBe(next);
  });

  it.each([
    [BERLIN, '2026-03-01T00:00:00Z', '2026-03-31T22:00:00.000Z', 'a month with a day of 23 hours'],
    [BERLIN, '2026-09-30T22:00:00Z', '2026-10-31T23:00:00.000Z', 'a month with a day of 25 hours'],
    [NEW_YORK, '2026-11-01T03:59:59.999Z', '2026-11-01T04:00:00.000Z', 'a month that begins with 25 hours'],
    [NEW_YORK, '2026-11-01T04:00:00Z', '2026-12-01T05:00:00.000Z', 'the month after it'],
  ])('in %s begins the month after %s at %s: %s', (timeZone, at, next) => {
    expect(iso(nextMonthStart(Date.parse(at), timeZone))).toBe(next);
  });

  it.each([BERLIN, NEW_YORK])(
    'in %s changes the day at its start, at no other hour of two years',
    (timeZone) => {
      let atMs = Date.parse('2026-01-01T12:00:00Z');
      const lengths = new Map<number, number>();
      for (let day = 0; day < 730; day += 1) {
        const nextMs = nextDayStart(atMs, timeZone);
        expect(dayOf(nextMs - 1, timeZone)).toBe(dayOf(atMs, timeZone));
        expect(dayOf(nextMs, timeZone)).not.toBe(dayOf(atMs, timeZone));
        if (day > 0)
          lengths.set((nextMs - atMs) / HOUR_MS, (lengths.get((nextMs - atMs) / HOUR_MS) ?? 0) + 1);
        atMs = nextMs;
      }
      expect(Object.fromEntries(lengths)).toEqual({ 23: 2, 24: 725, 25: 2 });
    },
  );
});

describe('a time zone that the policy changes', () => {
  it.each([
    ['not within the month', BERLIN, NEW_YORK, '2026-11-10T12:00Z', '2026-11-30T22:59Z', BERLIN],
    ['not while its own month is open', BERLIN, NEW_YORK, '2026-11-10T12:00Z', '2026-12-01T04:59Z', BERLIN],
    ['once both months have begun', BERLIN, NEW_YORK, '2026-12-01T04:59Z', '2026-12-01T05:00Z', NEW_YORK],
    [
      'not before the old month has ended',
      NEW_YORK,
      BERLIN,
      '2026-11-10T12:00Z',
      '2026-12-01T04:59Z',
      NEW_YORK,
    ],
    ['when it has', NEW_YORK, BERLIN, '2026-12-01T04:59Z', '2026-12-01T05:00Z', BERLIN],
    ['after months of rest', BERLIN, NEW_YORK, '2026-03-10T12:00Z', '2026-11-10T12:00Z', NEW_YORK],
    [
      'not where a day that was counted in would come again',
      'Pacific/Kiritimati',
      'Pacific/Pago_Pago',
      '2026-12-01T10:30Z',
      '2026-12-01T11:00Z',
      'Pacific/Kiritimati',
    ],
  ])('takes effect %s', (_, counted, wanted, newest, at, expected) => {
    expect(zoneInForce({ atMs: Date.parse(newest), timeZone: counted }, wanted, Date.parse(at))).toBe(
      expected,
    );
  });

  it('is taken at once by empty books', () => {
    expect(zoneInForce(undefined, BERLIN, 0)).toBe(BERLIN);
  });
});
