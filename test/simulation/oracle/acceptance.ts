import type { Evidence } from './evidence.ts';

/** Of clocks that differ. */
const SLACK_MS = 10_000;

/** A job title that is only proposed is written when a person accepts it, and brought back at any time. */
export function acceptanceFaults({ agreed, hubSpot, accepted }: Evidence): string[] {
  if (!agreed.isShadowed) return [];
  return Object.values(hubSpot.records['0-1']).flatMap(({ id, history }) =>
    (history['jobtitle'] ?? []).flatMap(({ value, timestamp, sourceId }) => {
      const isOurs = value !== '' && sourceId === String(agreed.appId);
      const isAccepted = accepted.some(
        ({ fromMs, toMs }) => timestamp >= fromMs - SLACK_MS && timestamp <= toMs + SLACK_MS,
      );
      return isOurs && !isAccepted
        ? [`jobtitle of contact ${id} was written though it was not accepted`]
        : [];
    }),
  );
}
