import type { Evidence } from './evidence.ts';

const OUTCOMES = ['enriched', 'unchanged', 'unmatched', 'skipped', 'failed'];
/** From when something is due until it is done, with a sweep an hour. */
const DUE_MS = 2 * 60 * 60_000;

interface Explained {
  readonly outcome?: { readonly kind?: string; readonly reason?: string };
  readonly waiting?: { readonly reason?: string; readonly until?: string };
  readonly forgottenAt?: string;
  readonly mergedFrom?: readonly string[];
}

/** Every record that ever was ends in an outcome, or waits with a reason and a time. */
export function recordFaults(evidence: Evidence): string[] {
  const { told, erased } = evidence;
  const runs: Readonly<Record<string, number>> = JSON.parse(told.runs);
  const { opened = 0, ended = 0, waiting = 0, running = 0 } = runs;
  return [
    ...told.records.flatMap(({ name, explained }) => {
      const isErased = erased.some(({ id }) => name.endsWith(`/${id}`));
      return explained === undefined
        ? [`nothing is known of ${name}`].filter(() => !isErased)
        : openFaults(evidence, { name, isErased, explained: JSON.parse(explained) });
    }),
    ...(opened === ended + waiting && running === 0 ? [] : [`runs do not add up: ${told.runs}`]),
    ...(told.queued === 0 ? [] : [`${told.queued} messages are left`]),
    ...(told.dead === 0 ? [] : [`${told.dead} messages were given up`]),
  ];
}

interface Known {
  readonly name: string;
  readonly isErased: boolean;
  readonly explained: Explained;
}

function openFaults({ endedAtMs, hubSpot }: Evidence, { name, isErased, explained }: Known): string[] {
  const { outcome, waiting, forgottenAt, mergedFrom } = explained;
  // Another portal tells of merges and deletions under the same ids.
  if ((forgottenAt !== undefined && !isErased) || mergedFrom)
    return [`${name} was forgotten or merged by another portal`];
  if (isErased) return [];
  if (waiting) {
    const isDue = Date.parse(waiting.until ?? '') + DUE_MS < endedAtMs;
    const isWellPutOff = waiting.reason === 'budget' && !isDue;
    return isWellPutOff ? [] : [`${name} still waits after so long a calm: ${waiting.reason}`];
  }
  if (!outcome?.reason || !OUTCOMES.includes(outcome.kind ?? '')) return [`${name} has no outcome`];
  const [type = '', id = ''] = name.split('/');
  const record = hubSpot.records[type === 'contacts' ? '0-1' : '0-2'][id];
  const status = record?.values['enrichment_status'] ?? '';
  return outcome.kind === 'enriched' && status === ''
    ? [`${name} is enriched, but HubSpot does not say so`]
    : [];
}
