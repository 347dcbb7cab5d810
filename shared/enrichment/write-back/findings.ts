import type { Explanation } from '#shared/ownership';
import type { FindingKind, NewFinding } from '#shared/review';
import type { AssociationResult } from './associate.ts';
import type { WritePlan } from './plan-writes.ts';

/** Returns the decisions that a person must make about an answer. */
export function findingsOf(plan: WritePlan, association: AssociationResult): NewFinding[] {
  const { draft, isMixed, proposed } = plan;
  const { answered, elsewhere, followed, status, reason } = draft;
  if (draft.isUnclear) return [{ kind: 'contradiction', reason, purpose: draft.held.run.purpose }];
  if (answered.kind !== 'found' || draft.outcome === 'skipped') return [];
  const { questionKey, operation, askedAtMs, askedDomain, held } = answered;
  const { answeredAtMs, employer } = held.state;
  const newFinding = (kind: FindingKind, why: Explanation, properties?: readonly string[]): NewFinding => ({
    ...{ kind, reason: why, purpose: held.run.purpose },
    answer: { questionKey, operation, askedAtMs, ...(askedDomain !== undefined && { askedDomain }) },
    ...(properties && { properties }),
    before: { answeredAtMs, employer },
  });
  const proposedProperties = [...proposed, ...(association.isProposed ? ['associatedcompanyid'] : [])];
  const proposal = proposedProperties.length > 0 ? [newFinding('proposal', reason, proposedProperties)] : [];
  if (status === 'review')
    return [newFinding(elsewhere ? 'job-change' : 'contradiction', reason), ...proposal];
  const { result, company } = association;
  return [
    ...(isMixed ? [newFinding('job-change', plan.reason)] : []),
    ...(result && !company ? [newFinding('association', result)] : []),
    ...(followed?.by === 'association' && !answered.accepted
      ? [newFinding('association', followed.reason)]
      : []),
    ...proposal,
  ];
}
