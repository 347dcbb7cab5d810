import { type CrmReading, isAboutPerson, recordKey } from '#shared/crm';
import { disclosedPerson, identifiersOfAnswer } from '#shared/questions';
import { firstShownMs, needsFirst, obtainedBefore } from '../ask/obtained-before.ts';
import type { EnrichmentServices } from '../services.ts';
import type { WriteDraft } from './draft.ts';
import type { WritePlan } from './plan-writes.ts';

/** Records in the disclosure log which contact and properties receive values of the person. */
export async function discloseValues(
  { forgetting: { disclosures }, clock, digest }: EnrichmentServices,
  { draft: { held, answered }, filled, writes }: WritePlan,
): Promise<void> {
  const properties = filled.filter((name) => writes[name] !== '');
  if (!isAboutPerson(held) || answered.kind !== 'found' || properties.length === 0) return;
  const { questionKey, operation, answer, askedAtMs } = answered;
  const keys = identifiersOfAnswer({ operation, record: answer }, digest);
  const delivery = { record: recordKey(held), operation, properties, atMs: clock.now(), askedAtMs };
  await disclosures.delivered(disclosedPerson({ key: questionKey, operation }, keys), delivery);
}

/**
 * Returns for each contact id when we first obtained data about this person. Leaves out contacts whose date HubSpot
 * shows, unless a merge may have made that date too late. A refresh does not change the date.
 */
export async function firstObtained(
  services: EnrichmentServices,
  drafts: readonly WriteDraft[],
  now: CrmReading,
): Promise<ReadonlyMap<string, number>> {
  const found = await Promise.all(drafts.map((draft) => firstOf(services, draft, now)));
  return new Map(found.filter((each) => each !== undefined));
}

async function firstOf(
  services: EnrichmentServices,
  { held, answered, status, elsewhere }: WriteDraft,
  now: CrmReading,
): Promise<readonly [string, number] | undefined> {
  if (!isAboutPerson(held) || answered.kind !== 'found') return undefined;
  // The answer may be about another person.
  if (status === 'review' && !elsewhere) return undefined;
  const shownMs = firstShownMs(now.records.get(held.id)?.properties);
  if (!needsFirst(held, shownMs)) return undefined;
  const { askedAtMs } = answered;
  const before = answered.obtainedBefore ?? (await obtainedBefore(services, held, answered));
  const firstMs = Math.min(askedAtMs, before.firstAtMs);
  return Number.isNaN(shownMs) || firstMs < shownMs ? [held.id, firstMs] : undefined;
}
