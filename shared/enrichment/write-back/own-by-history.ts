import type { CrmReading, CrmVersion } from '#shared/crm/crm.ts';
import type { ObjectType } from '#shared/crm/crm-record.ts';
import type { PropertyDefinitions } from '#shared/crm/property-definition.ts';
import { createMark, createNormalise, type Mark } from '#shared/field-policy/normal-form.ts';
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
 * HubSpot's history, of values that the policy would replace if they were ours: where there is no memory of them at all,
 * and where they are what we wrote last, for somebody may have typed the same again. Only an entry of our own app is
 * ours; imports, forms, workflows and other apps speak for people.
 * @returns what was recovered, what is ours after all, and what was typed again; `undefined` when nothing had to be asked.
 */
export async function ownByHistory(
  { crm, digest, ownAppId }: Services,
  group: Group,
): Promise<Recovered | undefined> {
  if (ownAppId === undefined) return undefined;
  const mark = createMark({ definitions: group.definitions, hash: digest.keyed });
  const open = group.drafts.flatMap((draft) => {
    const properties = doubtfulOnes(draft, { ...group, mark });
    const { id, state } = draft.held;
    return properties.length > 0 ? [{ id, properties, state }] : [];
  });
  if (open.length === 0) return undefined;
  const history = await historyOf(crm, group.objectType, open);
  const recovered = new Map(group.recovered);
  for (const { id, properties, state } of open) {
    const known = recovered.get(id) ?? NOTHING_RECOVERED;
    const ours: Record<string, string> = {};
    const theirs: Record<string, string> = {};
    for (const property of properties) {
      const newest = lastWrite(history.get(id)?.[property]);
      if (newest && isOurs(newest, ownAppId)) ours[property] = mark(property, newest.value);
      else if (newest && Object.hasOwn(state.lastWritten, property)) theirs[property] = newest.value;
    }
    recovered.set(id, {
      ...known,
      lastWritten: { ...known.lastWritten, ...ours },
      theirs: { ...known.theirs, ...theirs },
    });
  }
  return recovered;
}

/** A merge writes nothing of its own: it keeps what one of the two had. @param versions newest first. */
function lastWrite(versions: readonly CrmVersion[] = []): CrmVersion | undefined {
  return versions.find(({ sourceType }) => !sourceType.includes('MERGE'));
}

function doubtfulOnes(
  { held, proposals, elsewhere }: Draft,
  { now, definitions, recovered, mark }: Group & { readonly mark: Mark },
): string[] {
  const record = now.records.get(held.id);
  if (record?.id !== held.id || elsewhere?.by === 'company') return [];
  const known = { ...held.state.lastWritten, ...recovered.get(held.id)?.lastWritten };
  const normalise = createNormalise(definitions);
  const address = elsewhere && !Object.hasOwn(known, 'email') ? ['email'] : [];
  const replaceable = proposals.flatMap(({ property, value, rule }) => {
    const current = record.properties[property]?.trim() ?? '';
    if (rule.write !== 'ours' || current === '') return [];
    if (Object.hasOwn(known, property) && known[property] !== mark(property, current)) return [];
    return normalise(property, current) === normalise(property, value) ? [] : [property];
  });
  return [...address, ...replaceable];
}
