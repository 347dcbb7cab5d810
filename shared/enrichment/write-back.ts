import type { PropertyDefinitions } from '../field-policy/property-definition.ts';
import { rememberWrites } from '../field-policy/remember.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import type { CrmWriteResult } from '../records/crm.ts';
import { type ObjectType, recordKey } from '../records/crm-record.ts';
import type { OutcomeKind, Rejected } from '../records/record-state.ts';
import type { Answered } from './answer-record.ts';
import type { Ending, EnrichmentDeps, HeldRecord, RecordReport } from './deps.ts';
import { fingerprintOf } from './fingerprint.ts';
import { IDENTIFYING_PROPERTIES } from './identity.ts';
import { journalPlans, journalResults } from './journal-writes.ts';
import {
  creditsOf,
  type Draft,
  draftOf,
  type Planned,
  type Present,
  planWrites,
  type Recovered,
} from './plan-writes.ts';
import { recoverWrites } from './recover.ts';
import { STATUS_PROPERTIES } from './status-properties.ts';

export interface Ended {
  readonly held: HeldRecord;
  readonly ending: Ending;
  readonly written: RecordReport['written'];
}

/** Not settled: the journal would not take it, and what is written without it could never be undone. */
export interface Unjournalled {
  readonly held: HeldRecord;
  readonly error: unknown;
}

/**
 * Writes answers and statuses of one object type back: reads once more what is to be written, because people
 * may have typed meanwhile, applies the policy to what is there now, and sends only differences, in one batch.
 */
export async function writeBack(
  deps: EnrichmentDeps,
  objectType: ObjectType,
  answers: readonly Answered[],
): Promise<(Ended | Unjournalled)[]> {
  const definitions = await deps.crm.definitions(objectType);
  const drafts = answers.map((answered) => draftOf(deps, answered, definitions));
  logDropped(deps, drafts);
  const present = { now: await readAgain(deps, objectType, drafts), definitions };
  const { recovered, failures } = await recoverWrites(deps, { objectType, drafts, present });
  const known = drafts.filter(({ held }) => !failures.has(held.id));
  const written = await writeDrafts(deps, { objectType, drafts: known, present: { ...present, recovered } });
  const unknown = drafts.flatMap(({ held }) => {
    const failure = failures.get(held.id);
    return failure ? [{ held, ...failure }] : [];
  });
  const told = written.map(({ plan, result, failure }) =>
    failure ? { held: plan.draft.held, ...failure } : finish(deps, { plan, result, definitions }),
  );
  return [...unknown, ...told];
}

/** How many values fitted nowhere, by property; the journal has the reasons, which may name the values. */
function logDropped({ logger }: EnrichmentDeps, drafts: readonly Draft[]): void {
  for (const { held, dropped } of drafts) {
    if (dropped.length === 0) continue;
    const counts = Object.fromEntries(
      [...Map.groupBy(dropped, ({ property }) => property)].map(([property, list]) => [
        property,
        list.length,
      ]),
    );
    logger.info('values-dropped', { recordId: recordKey(held), counts });
  }
}

async function readAgain(deps: EnrichmentDeps, objectType: ObjectType, drafts: readonly Draft[]) {
  const properties = new Set<string>([...STATUS_PROPERTIES, ...IDENTIFYING_PROPERTIES[objectType]]);
  for (const { proposals } of drafts) for (const { property } of proposals) properties.add(property);
  const ids = drafts.map(({ held }) => held.id);
  return deps.crm.read({ objectType, ids, properties: [...properties] });
}

interface Written {
  readonly plan: Planned;
  readonly result: CrmWriteResult | undefined;
  /** The journal's own. */
  readonly failure?: { readonly error: unknown } | undefined;
}

/**
 * One batch for all. HubSpot refuses a record whole for one value that it does not like, such as an email that
 * another contact has: such a record is written once more without it.
 */
async function writeDrafts(
  deps: EnrichmentDeps,
  group: { objectType: ObjectType; drafts: readonly Draft[]; present: Present & { recovered: Recovered } },
): Promise<Written[]> {
  const { objectType, drafts, present } = group;
  const planned = drafts.map((draft) => planWrites(deps, draft, present));
  const differing = planned.filter(({ writes }) => Object.keys(writes).length > 0);
  const { allowed, failures } = await journalPlans(deps, differing);
  const writes = allowed.map(({ draft, writes }) => ({ id: draft.held.id, properties: writes }));
  const results = await deps.crm.write({ objectType, writes });
  const byId = new Map(results.map((result) => [result.id, result]));
  const told = planned.map((plan) => ({ plan, result: byId.get(plan.draft.held.id) }));
  const unconfirmed = await journalResults(deps, told);
  const written = told.map((each): Written => {
    const { id } = each.plan.draft.held;
    return { ...each, failure: failures.get(id) ?? unconfirmed.get(id) };
  });
  const again = written.map(withoutRefused);
  const rest = again.filter((draft) => draft !== undefined);
  if (rest.length === 0) return written;
  const settled = written.filter((_, index) => again[index] === undefined);
  return [...settled, ...(await writeDrafts(deps, { ...group, drafts: rest }))];
}

/** The draft without what HubSpot named in its refusal; `undefined` where there is nothing to be left out. */
function withoutRefused({ plan, result, failure }: Written): Draft | undefined {
  if (failure || result?.kind !== 'refused') return undefined;
  const { draft, filled } = plan;
  const refused = result.properties.filter((property) => filled.includes(property));
  if (refused.length === 0) return undefined;
  return {
    ...draft,
    reason: `${draft.reason} HubSpot refused ${refused.join(', ')}.`,
    proposals: draft.proposals.filter(({ property }) => !refused.includes(property)),
  };
}

/** HubSpot told of the others but not of this one, so it is not likely to come right within the minute. */
const UNREACHABLE_MS = 15 * MINUTE_MS;

function finish(deps: EnrichmentDeps, { plan, result, definitions }: Written & Pick<Present, 'definitions'>) {
  const { draft, current } = plan;
  const { held, answered } = draft;
  const credits = creditsOf(answered);
  const nowMs = deps.clock.now();
  if (current === 'changed') return later(held, { reason: 'CHANGED_MEANWHILE', untilMs: nowMs, credits });
  if (current === 'unreadable' || result?.kind === 'postponed') {
    // What was paid for is kept, and written later.
    return later(held, { reason: 'HUBSPOT_RECORD_UNREACHABLE', untilMs: nowMs + UNREACHABLE_MS, credits });
  }
  if (current === 'gone')
    return plainly(held, { outcome: 'skipped', reason: 'No longer in HubSpot.', credits, isGone: true });
  if (result?.kind === 'refused') {
    const reason = `HubSpot refused the write: ${result.reason}`;
    return plainly(held, { outcome: 'failed', reason, credits });
  }
  const stored = result?.properties ?? {};
  const after = { objectType: held.objectType, properties: { ...current.properties, ...stored } };
  const remembered = remember(deps, { plan, stored, definitions });
  const fingerprint = fingerprintOf(after, deps);
  const learned = { ...learnedOf(answered), ...rejectionOf(draft), remembered, fingerprint };
  const written = Object.keys(plan.writes).map((property) => ({
    property,
    before: current.properties[property] ?? null,
    after: stored[property] ?? plan.writes[property] ?? '',
  }));
  const { outcome } = plan;
  return {
    held,
    ending: { kind: 'outcome' as const, outcome, reason: draft.reason, credits, learned },
    written,
  };
}

function later(held: HeldRecord, wait: { reason: string; untilMs: number; credits: number }): Ended {
  return { held, ending: { kind: 'deferred', ...wait, learned: {} }, written: [] };
}

function plainly(
  held: HeldRecord,
  { isGone, ...ending }: { outcome: OutcomeKind; reason: string; credits: number; isGone?: boolean },
): Ended {
  return { held, ending: { kind: 'outcome', ...ending, learned: { isGone } }, written: [] };
}

interface Stored {
  readonly plan: Planned;
  readonly stored: Readonly<Record<string, string | null>>;
  readonly definitions: PropertyDefinitions;
}

function remember(deps: EnrichmentDeps, { plan, stored, definitions }: Stored) {
  const written = Object.fromEntries(plan.filled.map((name) => [name, stored[name] ?? null]));
  return {
    ...plan.remembered,
    ...rememberWrites({ definitions, written, hash: deps.digest.keyed }),
  };
}

function rejectionOf({ answered, status, reason }: Draft): { rejected?: readonly Rejected[] } {
  if (answered.kind !== 'found' || status !== 'review') return {};
  const { questionKey, askedAtMs } = answered;
  return { rejected: [{ questionKey, askedAtMs, reason }] };
}

function learnedOf(answered: Answered) {
  if (answered.kind === 'ended') return answered.ending.learned;
  const { askedAtMs, questionKey, expiresAtMs } = answered;
  return { answeredAtMs: askedAtMs, answeredQuestion: questionKey, staleAtMs: expiresAtMs };
}
