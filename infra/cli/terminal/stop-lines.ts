import { type Stop, stopTimes } from '#shared/spend';

/** Lines about the current stops. Normally there are none. */
export function stopLines({
  stops,
  generatedAtMs,
  timeZone,
}: {
  readonly stops: readonly Stop[];
  readonly generatedAtMs: number;
  readonly timeZone: string;
}): string[] {
  return stops.flatMap((stop) => [
    `${stop.kind === 'ledger-broken' ? 'Broken' : 'Stopped'}: ${stop.what} ${stopTimes(stop, generatedAtMs, timeZone)}`.trimEnd(),
    `  ${stop.setting ? `${stop.setting}: ` : ''}${stop.whatToDo}`,
  ]);
}
