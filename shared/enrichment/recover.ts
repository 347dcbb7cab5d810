import { createNormalise } from '../field-policy/normal-form.ts';
import { type Remembered, rememberedText, rememberWrites } from '../field-policy/remember.ts';
import type { CrmRecord, ObjectType } from '../records/crm-record.ts';
import type { EnrichmentDeps } from './deps.ts';
import type { Draft, Present, Recovered } from './plan-writes.ts';

/**
 * Two witnesses beside the record's state. The journal: a run that was cut off between its write and its settling
 * had said what it would write. And HubSpot's history, where there is no memory at all: only an entry of our own
 * app is ours; imports, forms, workflows and other apps speak for people.
 */
export async function recoverRemembered(
  deps: EnrichmentDeps,
  group: { objectType: ObjectType; drafts: readonly Draft[]; present: Present },
): Promise<Recovered> {
  const recovered = new Map<string, Remembered>();
  for (const draft of group.drafts) {
    const record = recordOf(group.present, draft);
    const { held } = draft;
    // A run that had an answer before it was claimed this time may have come as far as writing.
    if (!record || held.state.run?.answeredQuestion === undefined) continue;
    recovered.set(held.id, await fromJournal(deps, draft, { record, present: group.present }));
  }
  return fromHistory(deps, { ...group, recovered });
}

async function fromJournal(
  { journal, digest }: EnrichmentDeps,
  { held }: Draft,
  { record, present }: { record: CrmRecord; present: Present },
): Promise<Remembered> {
  const entry = await journal.read(held, held.state.runsOpened);
  const normalise = createNormalise(present.definitions);
  const planned = (entry?.changes ?? []).filter(({ state }) => state !== 'refused');
  const arrived = planned.filter(
    ({ property, after }) =>
      normalise(property, record.properties[property] ?? '') === normalise(property, after),
  );
  const written = Object.fromEntries(
    arrived.map(({ property }) => [property, record.properties[property] ?? null]),
  );
  return rememberWrites({ definitions: present.definitions, written, hash: digest.keyed });
}

async function fromHistory(
  deps: EnrichmentDeps,
  group: { objectType: ObjectType; drafts: readonly Draft[]; present: Present; recovered: Recovered },
): Promise<Recovered> {
  const { ownAppId } = deps;
  const open = group.drafts.flatMap((draft) => {
    const properties = unremembered(draft, group);
    return properties.length > 0 ? [{ id: draft.held.id, properties }] : [];
  });
  if (ownAppId === undefined || open.length === 0) return group.recovered;
  const writers = await deps.crm.lastWriters({
    objectType: group.objectType,
    ids: open.map(({ id }) => id),
    properties: [...new Set(open.flatMap(({ properties }) => properties))],
  });
  const normalise = createNormalise(group.present.definitions);
  const found = new Map(group.recovered);
  for (const { id, properties } of open) {
    const ours = properties.flatMap((property): [string, string][] => {
      const writer = writers.get(id)?.[property];
      if (writer?.sourceType !== 'INTEGRATION' || writer.sourceId !== ownAppId) return [];
      return [[property, deps.digest.keyed(rememberedText(property, normalise(property, writer.value)))]];
    });
    found.set(id, { ...found.get(id), ...Object.fromEntries(ours) });
  }
  return found;
}

/** What the policy would replace if it were ours, and nobody remembers whose it is. */
function unremembered(
  draft: Draft,
  { present, recovered }: { present: Present; recovered: Recovered },
): string[] {
  const record = recordOf(present, draft);
  if (!record) return [];
  const known = { ...draft.held.state.remembered, ...recovered.get(draft.held.id) };
  const normalise = createNormalise(present.definitions);
  return draft.proposals.flatMap(({ property, value, rule }) => {
    const current = record.properties[property]?.trim() ?? '';
    if (rule.write !== 'ours' || current === '' || Object.hasOwn(known, property)) return [];
    return normalise(property, current) === normalise(property, value) ? [] : [property];
  });
}

function recordOf({ now }: Present, { held }: Draft): CrmRecord | undefined {
  const record = now.records.get(held.id);
  return record?.id === held.id ? record : undefined;
}
