import type { Evidence } from './evidence.ts';

/** Tolerance for clocks that differ. */
const SLACK_MS = 10_000;

/** A proposed job title is written only after a person accepts it, and can be undone at any time. */
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
