import { type Stop, stopTimes } from '#shared/spend';

/** The stops that are in force now; normally none. */
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
