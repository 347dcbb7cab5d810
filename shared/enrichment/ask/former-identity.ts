import { type CrmRecord, OBJECT_TYPE_ROWS } from '#shared/crm';
import { textOf, weighEvidence } from '#shared/identity';
import { fingerprintOf, ownershipOf } from '../memory.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';
import { ownQuestions } from './own-questions.ts';

type Services = Pick<EnrichmentServices, 'digest' | 'policy'>;

/** A record whose identity a person has changed since its last answer. */
export interface CorrectedRecord {
  /** The record without the values that we wrote. */
  readonly given: CrmRecord;
  /** `another`: people's values contradict the values that we wrote. `unclear`: no evidence either way. */
  readonly identity: 'another' | 'unclear' | 'same';
  /** Whether a question that the record's present values allow still leads to the last answer. */
  readonly isLedToFormer: boolean;
}

/**
 * Finds out whether a person has edited the record so that it describes another person or company. Compares people's
 * values with ours, as if ours were an answer.
 * @returns `undefined` if there is no last answer, or nothing has changed since.
 */
export function correctedRecord(services: Services, held: ClaimedRecord): CorrectedRecord | undefined {
  const { record, state } = held;
  const { answeredQuestion } = state;
  const hasWritten = Object.values(state.ownership).some(({ written }) => written);
  if (answeredQuestion === undefined || !hasWritten) return undefined;
  // A person accepted that answer in spite of evidence against it.
  const isAcceptedByPerson = state.verdicts.some(
    (verdict) => verdict.inSpiteOf !== undefined && verdict.questionKey === answeredQuestion,
  );
  if (isAcceptedByPerson) return undefined;
  const ownership = ownershipOf(services, held);
  const isChanged = state.fingerprint !== fingerprintOf(record, services);
  const own = ownQuestions(services, { record, ownership });
  const isLedToFormer = own.has(answeredQuestion);
  if (isLedToFormer && !isChanged) return undefined;
  const byAuthor = Object.groupBy(Object.entries(record.properties), ([property]) =>
    ownership.isOurs(property) ? 'ours' : 'given',
  );
  const given = { ...record, properties: Object.fromEntries(byAuthor.given ?? []) };
  const former = { ...record, properties: Object.fromEntries(byAuthor.ours ?? []) };
  const { kind } = weighEvidence('identity', { record: given, answer: asAnswer(former) });
  const isUnclear = kind === 'unknown' && !isLedToFormer;
  const identity = kind === 'contradiction' ? 'another' : isUnclear ? 'unclear' : 'same';
  return { given, identity, isLedToFormer };
}

/** Returns our written values in the form of an answer. */
function asAnswer(ours: CrmRecord): Readonly<Record<string, unknown>> {
  const fields = Object.entries(OBJECT_TYPE_ROWS[ours.objectType].named);
  return Object.fromEntries(fields.map(([property, field]) => [field, textOf(ours, property)]));
}
