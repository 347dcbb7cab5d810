import type { CrmRecord } from '#shared/crm';
import { createNormalise, leftBehind, type Policy, type Proposal, textAt } from '#shared/field-policy';
import { textOf, weighEvidence } from '#shared/identity';
import type { EnrichmentServices } from '../services.ts';
import type { WriteDraft } from './draft.ts';

interface Former {
  readonly current: CrmRecord;
  readonly proposals: readonly Proposal[];
  readonly isOurs: (property: string) => boolean;
}

/**
 * Clears our values of the former identity that the new answer does not replace. They would describe the wrong person
 * or company.
 */
function clearFormer(
  { fields }: Pick<Policy, 'fields'>,
  { current, proposals, isOurs }: Former,
): Record<string, string> {
  const replaced = new Set(proposals.map(({ property }) => property));
  const remaining = fields[current.objectType].filter(
    ({ property, write }) =>
      (write === 'fill-blank' || write === 'ours') &&
      !replaced.has(property) &&
      textOf(current, property) !== undefined &&
      isOurs(property),
  );
  return Object.fromEntries(remaining.map(({ property }) => [property, '']));
}

/** Whether text properties of the contact name another employer than the answer does. */
export function namesAnotherEmployer(
  { answered, families }: WriteDraft,
  record: CrmRecord,
  isOurs: (property: string) => boolean,
): boolean {
  if (answered.kind !== 'found') return false;
  const { answer } = answered;
  return weighEvidence('stated', { record, answer, families, isOurs }).kind === 'contradiction';
}

interface JobChangeInput {
  readonly draft: WriteDraft;
  readonly current: CrmRecord;
  readonly isOurs: (property: string) => boolean;
  /** Values of the answer that are written. */
  readonly writes: Readonly<Record<string, string>>;
  /** Whether a person's value keeps the new employer from being written. */
  readonly isHeldBack: boolean;
  readonly isAnotherEmployer: boolean;
}

/**
 * Adds writes for an answer that names another employer: the job-change properties, the flag for an outdated address,
 * and blanks over our values of the old employer. If the record now describes another person, only adds blanks over our
 * values of the former person.
 */
export function jobChangeWrites({ policy }: Pick<EnrichmentServices, 'policy'>, input: JobChangeInput) {
  const { draft, current, isOurs, writes, isHeldBack, isAnotherEmployer } = input;
  const { held, answered, proposals, leftOut = [], families } = draft;
  if (draft.hasNewIdentity)
    return isHeldBack || draft.status === 'review' ? {} : clearFormer(policy, { ...input, ...draft });
  if (draft.employer === undefined || answered.kind !== 'found' || draft.outcome === 'skipped') return {};
  const { properties } = current;
  const employerValues = { properties, proposals, rules: policy.fields.contacts, isOurs };
  const hasLeftEmployer = isAnotherEmployer && !isHeldBack && draft.status === 'enriched';
  const cleared = hasLeftEmployer ? leftBehind(employerValues).map((property) => [property, '']) : [];
  const { employer } = held.state;
  const isJobChange = isAnotherEmployer && employer !== undefined && draft.employer !== employer;
  const changes: [string, string | undefined][] = isJobChange
    ? [
        ['enrichment_job_changed_at', new Date(answered.askedAtMs).toISOString()],
        ['enrichment_previous_company', textOf(current, 'company') ?? textOf(current, 'website')],
        ['enrichment_previous_title', textOf(current, 'jobtitle')],
      ]
    : [];
  const isFollowed = employer === undefined && writes['company'] !== undefined && !isOurs('email');
  const outdated = outdatedEmailFlag({
    current,
    answer: answered.answer,
    writes,
    families,
    hasMoved: isJobChange || isFollowed,
  });
  const normalise = createNormalise(held.definitions);
  const differing = [...changes, ['enrichment_email_outdated', outdated] as const].filter(
    ([property, value]) =>
      value !== undefined &&
      held.definitions.has(property) &&
      normalise(property, value) !== normalise(property, properties[property] ?? ''),
  );
  const isAccepted = (property: string) => !leftOut.some((each) => each.property === property);
  const changedValues = [...cleared, ...differing].filter(([property = '']) => isAccepted(property));
  return Object.fromEntries(changedValues) as Record<string, string>;
}

interface Mail {
  readonly current: CrmRecord;
  readonly answer: Readonly<Record<string, unknown>>;
  readonly writes: Readonly<Record<string, string>>;
  readonly hasMoved: boolean;
  readonly families: WriteDraft['families'];
}

/** Returns the flag for an outdated address; `undefined` if the flag does not change. The address itself stays. */
function outdatedEmailFlag({
  current,
  answer,
  writes,
  hasMoved,
  families,
}: Mail): 'true' | 'false' | undefined {
  const email = writes['email'] ?? current.properties['email'] ?? null;
  const { objectType } = current;
  const verdict = weighEvidence('employer', {
    record: { objectType, properties: { email } },
    answer,
    families,
  });
  const isElsewhere = verdict.kind === 'contradiction';
  const isOfAnswer = textAt(answer, ['email'])?.toLowerCase() === email?.trim().toLowerCase();
  if (isElsewhere) return hasMoved && !isOfAnswer ? 'true' : undefined;
  return current.properties['enrichment_email_outdated'] === 'true' ? 'false' : undefined;
}
