import { type CrmRecord, isAboutPerson } from '#shared/crm';
import type { Policy, Proposal } from '#shared/field-policy';
import { textOf, weighEvidence } from '#shared/identity';
import type { RecordAnswer } from '../ask/answered.ts';
import { correctedRecord } from '../ask/former-identity.ts';
import type { EnrichmentServices } from '../services.ts';

type Found = Extract<RecordAnswer, { kind: 'found' }>;

/**
 * Finds out whether a person has edited the record so that it describes another person or company. Then only our former
 * values contradict the new answer.
 * @returns the record without our former values; `undefined` if the identity is the same.
 */
export function correctedIdentity(
  services: Pick<EnrichmentServices, 'digest' | 'policy'>,
  { held, answer, askedDomain, questionKey }: Found,
): CrmRecord | undefined {
  const corrected = held.state.answeredQuestion === questionKey ? undefined : correctedRecord(services, held);
  if (!corrected) return undefined;
  const { given, identity, isLedToFormer } = corrected;
  const isContradicted = (record: CrmRecord) =>
    [record, byNameAlone(record)].some(
      (compared) =>
        weighEvidence('identity', { record: compared, answer, askedDomain }).kind === 'contradiction',
    );
  if (isContradicted(given)) return undefined;
  if (identity === 'another') return given;
  return !isLedToFormer && isContradicted(held.record) ? given : undefined;
}

/** Keeps only the name of a company. A company may still have its former name after a person corrected its domain. */
function byNameAlone(record: CrmRecord): CrmRecord {
  const { name = null } = record.properties;
  return isAboutPerson(record) ? record : { ...record, properties: { name } };
}

/** Lets the answer replace our remaining values of the former identity. */
export function replacingFormer(proposals: readonly Proposal[]): Proposal[] {
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

/**
 * Clears our values of the former identity that the new answer does not replace. They would describe the wrong person
 * or company.
 */
export function clearFormer(
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
