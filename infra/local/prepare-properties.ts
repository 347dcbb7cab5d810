import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { ENRICHMENT_GROUP, enrichmentProperties } from '#shared/field-policy';
import type { EnsuredProperties, HubSpotClient } from '#shared/hubspot';
import { checkOf } from '../doctor/check.ts';
import { leaveMark } from './own-installation.ts';
import type { System } from './system.ts';
import type { Narrator } from './terminal.ts';

/** Creates the property group and the missing `enrichment_*` properties. It deletes nothing and is safe to repeat. */
export function ensureEnrichmentProperties(
  hubSpot: Pick<HubSpotClient, 'ensureProperties'>,
  { objectType, dryRun = false }: { objectType: ObjectType; dryRun?: boolean },
): Promise<EnsuredProperties> {
  const properties = enrichmentProperties(objectType);
  return hubSpot.ensureProperties({ objectType, group: ENRICHMENT_GROUP, properties, dryRun });
}

/** Prepares the properties as part of the start, and reports the result at the terminal. */
export async function prepareProperties(system: System, narrator: Narrator): Promise<void> {
  for (const objectType of OBJECT_TYPES) {
    const { hubSpot } = system.services;
    const { created, revived, conflicts } = await ensureEnrichmentProperties(hubSpot, { objectType });
    const made = [...created, ...revived];
    if (made.length > 0) narrator.say(`Created in HubSpot on ${objectType}: ${made.join(', ')}`);
    for (const { name, reason } of conflicts)
      narrator.say(`Cannot be used in HubSpot on ${objectType}: ${name}, because ${reason}.`);
  }
  const before = await leaveMark(system.services);
  const { seen, advice } = checkOf('installations', 'another-installation', {});
  if (before === 'other') narrator.say(`WARNING: ${seen}. To do: ${advice}.`);
  if (before === 'forbidden')
    narrator.say('Another installation on this account cannot see this one: the token may not mark it.');
}
