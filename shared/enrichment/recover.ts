import { createNormalise } from '../field-policy/normal-form.ts';
import { rememberedText, rememberWrites } from '../field-policy/remember.ts';
import type { CrmRecord, ObjectType } from '../records/crm-record.ts';
import { isUndo } from '../records/journal-entry.ts';
import { arrivedOf } from './arrived.ts';
import type { EnrichmentDeps } from './deps.ts';
import { eachAlone, type Failures } from './each-alone.ts';
import type { Draft, Present, Recovered, RecoveredRecord } from './plan-writes.ts';
import { STATUS_PROPERTIES } from './status-properties.ts';

type Deps = Pick<EnrichmentDeps, 'journal' | 'digest' | 'ownAppId'> & {
  readonly crm: Pick<EnrichmentDeps['crm'], 'lastWriters'>;
};

/**
 * Two witnesses beside the record's state. The journal: a run that was cut off between its write and its settling
 * had said what it would write; what of it is there is noted as written. And HubSpot's history, where there is no
 * memory at all: only an entry of our own app is ours; imports, forms, workflows and other apps speak for people.
 */
export async function recoverWrites(
  deps: Deps,
  group: { objectType: ObjectType; drafts: readonly Draft[]; present: Present },
): Promise<{ readonly recovered: Recovered; readonly failures: Failures }> {
  const fromJournals = new Map<string, RecoveredRecord>();
  const failures = await eachAlone(group.drafts, idOf, async (draft) => {
    const record = recordOf(group.present, draft);
    const run = draft.held.state.run;
    // A run that had an answer before it was claimed this time, or lost its worker, may have come as far as writing.
    if (!record || (run?.answeredQuestion === undefined && run?.lapses === undefined)) return;
    fromJournals.set(record.id, await fromJournal(deps, draft, { record, present: group.present }));
  });
  const recovered = await fromHistory(deps, { ...group, recovered: fromJournals });
  return { recovered, failures };
}

function idOf({ held }: Draft): string {
  return held.id;
}

async function fromJournal(
  { journal, digest }: Deps,
  { held }: Draft,
  { record, present: { definitions } }: { record: CrmRecord; present: Present },
): Promise<RecoveredRecord> {
  const run = held.state.runsOpened;
  const entry = await journal.read(held, run);
  if (!entry) return NOTHING;
  const { properties } = record;
  const stored = arrivedOf(entry, { properties, normalise: createNormalise(definitions) });
  const isOpen = entry.changes.some(
    ({ property, state }) => state === 'planned' && Object.hasOwn(stored, property),
  );
  if (isOpen) await journal.confirm(held, run, { stored });
  const ours = entry.changes
    .filter((change) => Object.hasOwn(stored, change.property) && !isUndo(entry, change))
    .map(({ property }) => property)
    .filter((property) => !STATUSES.has(property));
  const written = Object.fromEntries(ours.map((property) => [property, stored[property] ?? null]));
  return {
    remembered: rememberWrites({ definitions, written, hash: digest.keyed }),
    isWritten: ours.length > 0,
  };
}

const NOTHING: RecoveredRecord = { remembered: {}, isWritten: false };
const STATUSES: ReadonlySet<string> = new Set(STATUS_PROPERTIES);

async function fromHistory(
  deps: Deps,
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
    const { remembered, isWritten } = found.get(id) ?? NOTHING;
    found.set(id, { isWritten, remembered: { ...remembered, ...Object.fromEntries(ours) } });
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
  const known = { ...draft.held.state.remembered, ...recovered.get(draft.held.id)?.remembered };
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
