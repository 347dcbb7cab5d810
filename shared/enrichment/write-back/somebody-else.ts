import type { CrmRecord } from '#shared/crm';
import type { Policy, Proposal } from '#shared/field-policy';
import { textOf, weighEvidence } from '#shared/identity';
import type { RecordAnswer } from '../ask/answered.ts';
import { correctedRecord } from '../ask/former-identity.ts';
import type { EnrichmentServices } from '../services.ts';

type Found = Extract<RecordAnswer, { kind: 'found' }>;

/**
 * A record that a person has made another's since it was last answered: only what we wrote of the former speaks against
 * the new answer.
 * @returns the record without that; nothing where it is still the same.
 */
export function asSomebodyElse(
  services: Pick<EnrichmentServices, 'digest' | 'policy'>,
  { held, answer, askedDomain, questionKey, operation }: Found,
): CrmRecord | undefined {
  const corrected = held.state.answeredQuestion === questionKey ? undefined : correctedRecord(services, held);
  if (!corrected) return undefined;
  const { given, identity, isLedToFormer } = corrected;
  const isOther = (record: CrmRecord) =>
    [record, byNameAlone(record)].some(
      (of) => weighEvidence('identity', { record: of, answer, askedDomain }).kind === 'contradiction',
    );
  if (isOther(given)) return undefined;
  if (identity === 'another') return given;
  return !isLedToFormer && operation !== 'companiesByDomain' && isOther(held.record) ? given : undefined;
}

/** Under a corrected domain a company has its former name still. */
function byNameAlone(record: CrmRecord): CrmRecord {
  const { name = null } = record.properties;
  return record.objectType === 'companies' ? { ...record, properties: { name } } : record;
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

/** Values of the former that the new answer does not replace are emptied: otherwise they would describe the wrong one. */
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
