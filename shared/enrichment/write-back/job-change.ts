import type { CrmRecord } from '#shared/crm';
import { createNormalise, leftBehind, textAt } from '#shared/field-policy';
import { textOf, weighEvidence } from '#shared/identity';
import type { EnrichmentServices } from '../services.ts';
import { clearFormer } from './corrected-identity.ts';
import type { WriteDraft } from './draft.ts';

interface Moved {
  readonly draft: WriteDraft;
  readonly current: CrmRecord;
  readonly isOurs: (property: string) => boolean;
  /** Values of the answer that are written. */
  readonly writes: Readonly<Record<string, string>>;
  /** A person's value keeps the new employer from being written. */
  readonly isHeldBack: boolean;
  readonly isAnotherEmployer: boolean;
}

/**
 * Adds writes for an answer that names another employer: the job-change properties, the flag for an outdated address,
 * and blanks over our values of the old employer. For an answer about another person, it only adds blanks over our
 * values of the former person.
 */
export function jobChangeWrites({ policy }: Pick<EnrichmentServices, 'policy'>, moved: Moved) {
  const { draft, current, isOurs, writes, isHeldBack, isAnotherEmployer } = moved;
  const { held, answered, proposals, leftOut = [], families } = draft;
  if (draft.hasNewIdentity)
    return isHeldBack || draft.status === 'review' ? {} : clearFormer(policy, { ...moved, ...draft });
  if (draft.employer === undefined || answered.kind !== 'found' || draft.outcome === 'skipped') return {};
  const { properties } = current;
  const moving = { properties, proposals, rules: policy.fields.contacts, isOurs };
  const isLeft = isAnotherEmployer && !isHeldBack && draft.status === 'enriched';
  const cleared = isLeft ? leftBehind(moving).map((property) => [property, '']) : [];
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
  const outdated = emailMark({
    current,
    ...{ answer: answered.answer, writes, families },
    hasMoved: isJobChange || isFollowed,
  });
  const normalise = createNormalise(held.definitions);
  const marks = [...changes, ['enrichment_email_outdated', outdated] as const].filter(
    ([property, value]) =>
      value !== undefined &&
      held.definitions.has(property) &&
      normalise(property, value) !== normalise(property, properties[property] ?? ''),
  );
  const isTaken = (property: string) => !leftOut.some((each) => each.property === property);
  const all = [...cleared, ...marks].filter(([property = '']) => isTaken(property));
  return Object.fromEntries(all) as Record<string, string>;
}

interface Mail {
  readonly current: CrmRecord;
  readonly answer: Readonly<Record<string, unknown>>;
  readonly writes: Readonly<Record<string, string>>;
  readonly hasMoved: boolean;
  readonly families: WriteDraft['families'];
}

/**
 * Returns the flag for an outdated address; the address itself stays. @returns `undefined` if the flag does not change.
 */
function emailMark({ current, answer, writes, hasMoved, families }: Mail): 'true' | 'false' | undefined {
  const email = writes['email'] ?? current.properties['email'] ?? null;
  const { objectType } = current;
  const verdict = weighEvidence('employer', {
    ...{ record: { objectType, properties: { email } }, answer, families },
  });
  const isElsewhere = verdict.kind === 'contradiction';
  const isOfAnswer = textAt(answer, ['email'])?.toLowerCase() === email?.trim().toLowerCase();
  if (isElsewhere) return hasMoved && !isOfAnswer ? 'true' : undefined;
  return current.properties['enrichment_email_outdated'] === 'true' ? 'false' : undefined;
}
