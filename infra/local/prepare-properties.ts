import { ENRICHMENT_GROUP, ENRICHMENT_PROPERTIES } from '../../shared/field-policy/enrichment-properties.ts';
import { OBJECT_TYPES } from '../../shared/records/crm-record.ts';
import type { Narrator } from './narrator.ts';
import type { System } from './system.ts';

/** Creates the `enrichment_*` properties that the portal lacks. Safe to repeat; nothing is ever deleted. */
export async function prepareProperties(system: System, narrator: Narrator): Promise<void> {
  for (const objectType of OBJECT_TYPES) {
    const properties = ENRICHMENT_PROPERTIES.map(({ options, ...property }) => ({
      ...property,
      ...(options && {
        options: options.map((option, displayOrder) => ({ ...option, displayOrder, hidden: false })),
      }),
    }));
    const { created, conflicts } = await system.parts.hubSpot.ensureProperties({
      objectType,
      group: ENRICHMENT_GROUP,
      properties,
    });
    if (created.length > 0) narrator.say(`Created in HubSpot on ${objectType}: ${created.join(', ')}`);
    for (const conflict of conflicts)
      narrator.say(`Not usable in HubSpot on ${objectType}: ${JSON.stringify(conflict)}`);
  }
}
