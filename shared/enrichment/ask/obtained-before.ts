import { type CrmRecord, isAboutPerson } from '#shared/crm';
import { disclosuresOfPerson, identifiersOfRecord, recordKeysOf } from '#shared/privacy';
import { identifiersOfAnswer, type QuestionOperation } from '#shared/questions';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';

/** When data about the person were first obtained, by the disclosure records. */
export interface ObtainedBefore {
  /** Infinity if there are none. */
  readonly firstAtMs: number;
}

/**
 * Reads when data about the person of an answer were first obtained.
 * @returns `undefined` if HubSpot shows the date.
 */
export async function obtainedBeforeIfUnknown(
  services: DisclosureServices,
  held: ClaimedRecord,
  found: AnswerOf,
): Promise<ObtainedBefore | undefined> {
  const isNeeded = isAboutPerson(held) && needsFirst(held, firstShownMs(held.record.properties));
  return isNeeded ? obtainedBefore(services, held, found) : undefined;
}

type DisclosureServices = Pick<EnrichmentServices, 'forgetting' | 'digest'>;
interface AnswerOf {
  readonly operation: QuestionOperation;
  readonly answer: Readonly<Record<string, unknown>>;
}

/** Reads when data about the person of an answer were first obtained. */
export async function obtainedBefore(
  { forgetting, digest }: DisclosureServices,
  held: ClaimedRecord,
  { operation, answer }: AnswerOf,
): Promise<ObtainedBefore> {
  const identifiers = [
    ...identifiersOfRecord(held.record, digest).sure,
    ...identifiersOfAnswer({ operation, record: answer }, digest).sure,
  ];
  const person = { identifiers: [...new Set(identifiers)], records: recordKeysOf(held.state) };
  const known = await disclosuresOfPerson(forgetting.disclosures, person);
  return { firstAtMs: Math.min(Infinity, ...known.flatMap(({ obtained }) => obtained?.firstAtMs ?? [])) };
}

/** @returns NaN if HubSpot shows no date. */
export function firstShownMs(properties: CrmRecord['properties'] = {}): number {
  return Date.parse(properties['enrichment_first_at'] ?? '');
}

/** A merge may have made the shown date too late. */
export function needsFirst({ state }: ClaimedRecord, shownMs: number): boolean {
  return Number.isNaN(shownMs) || state.mergedFrom !== undefined;
}
