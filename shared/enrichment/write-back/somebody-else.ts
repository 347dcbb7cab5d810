import type { CrmRecord } from '#shared/crm';
import { checkAnswer, type Policy, type Proposal, textAt } from '#shared/field-policy';
import { areDifferentCompanies, textOf } from '#shared/identity';
import type { RecordAnswer } from '../ask/answered.ts';
import { ownQuestions } from '../ask/own-questions.ts';
import { ownershipOf } from '../memory.ts';
import type { EnrichmentServices } from '../services.ts';

type Found = Extract<RecordAnswer, { kind: 'found' }>;

/**
 * A record that a person has made somebody else's since it was last answered: nothing of it leads to that answer any
 * more, and all that speaks against the new one is what we wrote of the former.
 * @returns the record without that; nothing where it is still the same.
 */
export function asSomebodyElse(
  services: Pick<EnrichmentServices, 'digest' | 'policy'>,
  { held, answer, askedDomain, questionKey, operation }: Found,
): CrmRecord | undefined {
  const { record, state } = held;
  const { answeredQuestion } = state;
  if (answeredQuestion === undefined || answeredQuestion === questionKey) return undefined;
  if (operation === 'companiesByDomain' || Object.keys(state.lastWritten).length === 0) return undefined;
  const ownership = ownershipOf(services, held);
  if (ownQuestions(services, { record, ownership }).has(answeredQuestion)) return undefined;
  const given = Object.entries(record.properties).filter(([property]) => !ownership.isOurs(property));
  const withoutOurs = { ...record, properties: Object.fromEntries(given) };
  const isOther = (of: CrmRecord) =>
    checkAnswer({ record: of, answer, askedDomain }).kind === 'contradiction' || hasOtherName(of, answer);
  return isOther(record) && !isOther(withoutOurs) ? withoutOurs : undefined;
}

/** A company that another domain was typed for. */
function hasOtherName(record: CrmRecord, answer: Found['answer']): boolean {
  const [known, found] = [textOf(record, 'name'), textAt(answer, ['name'])];
  return record.objectType === 'companies' && !!known && !!found && areDifferentCompanies(known, found);
}

/** What is still ours of the former gives way to what the answer says. */
export function overFormer(proposals: readonly Proposal[]): Proposal[] {
  return proposals.map((proposal) =>
    proposal.rule.write === 'fill-blank'
      ? { ...proposal, rule: { ...proposal.rule, write: 'ours' as const } }
      : proposal,
  );
}

interface Former {
  readonly current: CrmRecord;
  readonly proposals: readonly Proposal[];
  readonly isOurs: (property: string) => boolean;
}

/** What we wrote of the former and the answer does not know of the new one is emptied: it would be said of the wrong one. */
export function withoutFormer(
  { fields }: Pick<Policy, 'fields'>,
  { current, proposals, isOurs }: Former,
): Record<string, string> {
  const told = new Set(proposals.map(({ property }) => property));
  const left = fields[current.objectType].filter(
    ({ property, write }) =>
      (write === 'fill-blank' || write === 'ours') &&
      !told.has(property) &&
      textOf(current, property) !== undefined &&
      isOurs(property),
  );
  return Object.fromEntries(left.map(({ property }) => [property, '']));
}
