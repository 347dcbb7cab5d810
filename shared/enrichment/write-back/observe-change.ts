import type { CrmRecord } from '#shared/crm';
import { DAY_MS } from '#shared/kernel';
import type { WriteDecision } from '#shared/ownership';
import { type ChangeRate, observe, PRIORS, trustedUntilMs } from '#shared/records';
import type { WriteDraft } from './draft.ts';

interface Seen {
  readonly draft: WriteDraft;
  /** Time of the answer, epoch milliseconds; `undefined` if the record has had this answer before. */
  readonly askedAtMs: number | undefined;
  readonly current: CrmRecord;
  readonly decided: WriteDecision;
  readonly isOurs: (property: string) => boolean;
  /** Whether the answer names another employer than the record's last answer. */
  readonly isJobChange: boolean;
  /** Whether this run has written before. If so, HubSpot's values are the answer itself. */
  readonly isWritten: boolean;
  /** Whether no value of the answer's employer is written. */
  readonly isHeldBack: boolean;
}

export interface ObservedChange {
  readonly changeRate?: ChangeRate;
  /** Time until which the record is trusted, epoch milliseconds; absent if the answer does not change it. */
  readonly trustUntilMs?: number;
}

/** Updates the change rate and the trust of a record by a new answer. */
export function observeChange(seen: Seen): ObservedChange {
  const { draft, askedAtMs, isJobChange, isHeldBack } = seen;
  if (askedAtMs === undefined || draft.outcome === 'skipped') return {};
  const { objectType, state } = draft.held;
  const changed = isJobChange || hasChanged(seen);
  const formerRate = state.changeRate ?? PRIORS[objectType];
  const days = (askedAtMs - (state.answeredAtMs ?? askedAtMs)) / DAY_MS;
  const isSameRecord = !seen.isWritten && !draft.hasNewIdentity;
  const isNewer = askedAtMs > (state.answeredAtMs ?? askedAtMs);
  const isComparable = isNewer && isSameRecord && changed !== undefined;
  const changeRate = isComparable ? observe(formerRate, { days, changed }) : undefined;
  const isTrusted = draft.outcome === 'enriched' && !isHeldBack;
  const until = isTrusted ? trustedUntilMs(changeRate ?? formerRate, askedAtMs) : askedAtMs;
  return {
    ...(changeRate && { changeRate }),
    ...((isTrusted || isJobChange) && { trustUntilMs: until }),
  };
}

/**
 * Whether the answer differs from the last answer. Compares, in normal form, only values of the last answer that are
 * still in HubSpot. A value that a person wrote is not compared, because the last answer's value is then unknown.
 * @returns `undefined` if no value can be compared.
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
