import type { BreakerState } from '#shared/questions/schemas.ts';
import { counted, instant } from '#shared/spend/figures.ts';
import type { Connection } from '../../connection/connection.ts';

/** What keeps questions from being asked now, a sentence each; none is the normal case. */
export function breakerLines(
  { keyRefused, outOfCredits, doubtful }: BreakerState,
  { services, policy }: Connection,
): string[] {
  const nowMs = services.questions.clock.now();
  const at = (ms: number) =>
    ms > nowMs ? `after ${instant(ms, policy.timeZone)}` : 'with the next question';
  return [
    ...(keyRefused ? [`the data service refuses the API key; tried again ${at(keyRefused.probeAtMs)}.`] : []),
    ...(outOfCredits && outOfCredits.untilMs > nowMs
      ? [
          `its own balance does not pay for ${counted(outOfCredits.priceCredits, 'credit')} or more; tried again ${at(outOfCredits.untilMs)}.`,
        ]
      : []),
    ...(doubtful
      ? [`requests in a row were left without an answer; tried again ${at(doubtful.probeAtMs)}.`]
      : []),
  ];
}
