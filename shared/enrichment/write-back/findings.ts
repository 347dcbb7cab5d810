import type { FindingKind } from '#shared/review/schemas.ts';
import type { Found } from '#shared/review/transitions.ts';
import type { Association } from './associate.ts';
import type { Planned } from './plan-writes.ts';

/** What a person is to decide about an answer, once it was held against the record. Costs no request. */
export function findingsOf(plan: Planned, association: Association = {}): Found[] {
  const { draft, isMixed } = plan;
  const { answered, elsewhere, isFollowed, status, reason } = draft;
  if (answered.kind !== 'found' || draft.outcome === 'skipped') return [];
  const { questionKey, operation, askedAtMs, askedDomain, held } = answered;
  const { answeredAtMs, employer, changeRate } = held.state;
  const found = (kind: FindingKind, told: string, properties?: readonly string[]): Found => ({
    ...{ kind, reason: told, purpose: held.run.purpose },
    answer: { questionKey, operation, askedAtMs, ...(askedDomain !== undefined && { askedDomain }) },
    ...(properties && { properties }),
    before: { answeredAtMs, employer, changeRate },
  });
  if (status === 'review') return [found(elsewhere ? 'job-change' : 'contradiction', reason)];
  const { told, company } = association;
  const isElsewhere = elsewhere?.by === 'company' && isFollowed === true;
  return [
    ...(isMixed ? [found('job-change', plan.reason)] : []),
    ...(told && !company ? [found('association', told)] : []),
    ...(isElsewhere ? [found('association', elsewhere.reason)] : []),
  ];
}
