import type { CrmReading } from '#shared/crm/crm.ts';
import type { ObjectType } from '#shared/crm/crm-record.ts';
import type { PropertyDefinitions } from '#shared/crm/property-definition.ts';
import { createMark, createNormalise } from '#shared/field-policy/normal-form.ts';
import type { EnrichmentServices } from '../services.ts';
import type { Draft } from './draft.ts';
import { isOurs } from './fate.ts';
import { historyOf, NOTHING_RECOVERED, type Recovered } from './recover.ts';

interface Group {
  readonly objectType: ObjectType;
  readonly drafts: readonly Draft[];
  readonly now: CrmReading;
  readonly definitions: PropertyDefinitions;
  readonly recovered: Recovered;
}

type Services = Pick<EnrichmentServices, 'digest' | 'ownAppId'> & {
  readonly crm: Pick<EnrichmentServices['crm'], 'history'>;
};

/**
 * HubSpot's history, where there is no memory at all of a value that the policy would replace if it were ours. Only an
 * entry of our own app is ours; imports, forms, workflows and other apps speak for people.
 * @returns what was recovered, and what is ours after all; `undefined` when nothing had to be asked.
 */
export async function ownByHistory(
  { crm, digest, ownAppId }: Services,
  group: Group,
): Promise<Recovered | undefined> {
  if (ownAppId === undefined) return undefined;
  const open = group.drafts.flatMap((draft) => {
    const properties = unknownOnes(draft, group);
    return properties.length > 0 ? [{ id: draft.held.id, properties }] : [];
  });
  if (open.length === 0) return undefined;
  const history = await historyOf(crm, group.objectType, open);
  const mark = createMark({ definitions: group.definitions, hash: digest.keyed });
  const recovered = new Map(group.recovered);
  for (const { id, properties } of open) {
    const ours = properties.flatMap((property): [string, string][] => {
      const newest = history.get(id)?.[property]?.[0];
      return newest && isOurs(newest, ownAppId) ? [[property, mark(property, newest.value)]] : [];
    });
    const known = recovered.get(id) ?? NOTHING_RECOVERED;
    recovered.set(id, { ...known, lastWritten: { ...known.lastWritten, ...Object.fromEntries(ours) } });
  }
  return recovered;
}

function unknownOnes(
  { held, proposals, elsewhere }: Draft,
  { now, definitions, recovered }: Group,
): string[] {
  const record = now.records.get(held.id);
  if (record?.id !== held.id || elsewhere?.by === 'company') return [];
  const known = { ...held.state.lastWritten, ...recovered.get(held.id)?.lastWritten };
  const normalise = createNormalise(definitions);
  const address = elsewhere && !Object.hasOwn(known, 'email') ? ['email'] : [];
  const replaceable = proposals.flatMap(({ property, value, rule }) => {
    const current = record.properties[property]?.trim() ?? '';
    if (rule.write !== 'ours' || current === '' || Object.hasOwn(known, property)) return [];
    return normalise(property, current) === normalise(property, value) ? [] : [property];
  });
  return [...address, ...replaceable];
}
