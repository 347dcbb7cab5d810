import type { CrmRecord } from '#shared/crm';
import { DAY_MS } from '#shared/kernel';
import type { WriteDecision } from '#shared/ownership';
import { type ChangeRate, observe, PRIORS, trustedUntilMs } from '#shared/records';
import type { WriteDraft } from './draft.ts';

interface Seen {
  readonly draft: WriteDraft;
  /** When the answer was given; nothing where the record has had it before. Epoch milliseconds. */
  readonly askedAtMs: number | undefined;
  readonly current: CrmRecord;
  readonly decided: WriteDecision;
  readonly isOurs: (property: string) => boolean;
  /** It is not written, because it names another employer than the last one. */
  readonly isJobChange: boolean;
  /** Whether this run has written already: what is there is the answer itself. */
  readonly isWritten: boolean;
  /** Nothing of the answer's employer is written. */
  readonly isHeldBack: boolean;
}

export interface Learnt {
  readonly changeRate?: ChangeRate;
  /** Until when the record is to be trusted, epoch milliseconds; nothing where this answer says nothing of it. */
  readonly trustUntilMs?: number;
}

/** What a new answer teaches of how long it will be true. */
export function changeSeen(seen: Seen): Learnt {
  const { draft, askedAtMs, isJobChange, isHeldBack } = seen;
  if (askedAtMs === undefined || draft.outcome === 'skipped') return {};
  const { objectType, state } = draft.held;
  const changed = isJobChange || hasChanged(seen);
  const before = state.changeRate ?? PRIORS[objectType];
  const days = (askedAtMs - (state.answeredAtMs ?? askedAtMs)) / DAY_MS;
  const isSame = !seen.isWritten && !draft.isSomebodyElse;
  const isNewer = askedAtMs > (state.answeredAtMs ?? askedAtMs);
  const isComparable = isNewer && isSame && changed !== undefined;
  const changeRate = isComparable ? observe(before, { days, changed }) : undefined;
  const isTaken = draft.outcome === 'enriched' && !isHeldBack;
  const until = isTaken ? trustedUntilMs(changeRate ?? before, askedAtMs) : askedAtMs;
  return {
    ...(changeRate && { changeRate }),
    ...((isTaken || isJobChange) && { trustUntilMs: until }),
  };
}

/**
 * Whether the answer says something else than the last one, where that still stands in HubSpot, in normal form. Not
 * where a person wrote, for then the last answer is not known any more. @returns nothing where there is nothing to compare.
 */
function hasChanged({ draft, current, decided, isOurs }: Seen): boolean | undefined {
  const compared = draft.proposals.filter(
    ({ property, rule }) =>
      (rule.write === 'ours' || rule.write === 'always') &&
      (current.properties[property] ?? '') !== '' &&
      isOurs(property),
  );
  const same = new Set(
    decided.kept.filter(({ reason }) => reason === 'same').map(({ property }) => property),
  );
  return compared.length === 0 ? undefined : compared.some(({ property }) => !same.has(property));
}
