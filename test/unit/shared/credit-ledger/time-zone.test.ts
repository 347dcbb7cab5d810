import { describe, expect, it } from 'vitest';
import { zoneInForce } from '#shared/kernel';

const NEW_YORK = 'America/New_York';
const BERLIN = 'Europe/Berlin';

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
