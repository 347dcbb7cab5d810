import { createNormalise } from '../field-policy/normal-form.ts';
import { decideWrites } from '../field-policy/overwrite.ts';
import type { PropertyDefinitions } from '../field-policy/property-definition.ts';
import { createMark, type Mark, type Remembered } from '../field-policy/remember.ts';
import type { CrmReading } from '../records/crm.ts';
import type { CrmRecord } from '../records/crm-record.ts';
import type { OutcomeKind } from '../records/record-state.ts';
import { type Answered, SKIP_REASONS } from './answer-record.ts';
import type { EnrichmentDeps, HeldRecord } from './deps.ts';
import type { Draft } from './draft.ts';
import { fingerprintOf } from './fingerprint.ts';
import { hasOptedOut } from './plan.ts';
import { NOTHING_RECOVERED, type Recovered, type RecoveredRecord } from './recover.ts';
import { statusProposals } from './status-properties.ts';

export interface Planned {
  readonly draft: Draft;
  /**
   * The record as it is now; `gone` when it was deleted or merged away meanwhile, `changed` when somebody made it
   * a record of somebody else, of whom the answer tells nothing.
   */
  readonly current: CrmRecord | 'gone' | 'unreadable' | 'changed';
  readonly writes: Readonly<Record<string, string>>;
  /** Properties of the answer that are written; the status not counted. */
  readonly filled: readonly string[];
  readonly outcome: OutcomeKind;
  /** Of the writes those that give back what ours had taken from somebody. */
  readonly back: Readonly<Record<string, string>>;
  /** What was ours before this write. */
  readonly remembered: Remembered;
  /** Marks of what people wrote while we were writing. */
  readonly pinned: Remembered;
}

/** What a draft is held against: the records as they are now, and the portal's properties. */
export interface Present {
  readonly now: CrmReading;
  readonly definitions: PropertyDefinitions;
  readonly recovered: Recovered;
}

/** Applies the policy to what is there now: only differences remain. */
export function planWrites(
  deps: EnrichmentDeps,
  given: Draft,
  { now, definitions, recovered }: Present,
): Planned {
  const { held, answered } = given;
  const before = recovered.get(held.id) ?? NOTHING_RECOVERED;
  const remembered = { ...held.state.remembered, ...before.remembered };
  const creditsSpent = held.state.creditsSpent + creditsOf(answered);
  const current = currentOf(deps, { now, answered, before });
  const draft = typeof current !== 'string' && hasOptedOut(current) ? optedOut(given) : given;
  if (typeof current === 'string')
    return { draft, current, writes: {}, filled: [], back: {}, outcome: 'skipped', remembered, pinned: {} };
  const mark = createMark({ definitions, hash: deps.digest.keyed });
  const pinned = pinnedOf(before, mark);
  const rules = {
    current: current.properties,
    remembered,
    restored: { ...held.state.restored, ...pinned },
    mark,
    normalise: createNormalise(definitions),
  };
  const back = backOf(before, current);
  const proposals = draft.proposals.filter(({ property }) => !Object.hasOwn(back, property));
  const fields = decideWrites({ ...rules, proposed: proposals }).writes;
  const filled = Object.keys(fields);
  const isSame = filled.length === 0 && !before.isWritten;
  const outcome = draft.outcome === 'enriched' && isSame ? 'unchanged' : draft.outcome;
  const answer = answered.kind === 'found' && isNew(answered, held) ? answered : undefined;
  // An answer that the record has had already says nothing new of it: its status stays as it is.
  const stays = !answer && outcome === 'unchanged' && current.properties['enrichment_status'] === 'enriched';
  const status = draft.status === 'enriched' && !stays ? outcome : draft.status;
  const { requested } = held;
  const told = { status, reason: draft.reason, creditsSpent, answer, requested };
  const proposed = statusProposals(told, definitions);
  const statuses = decideWrites({ ...rules, proposed }).writes;
  return {
    draft,
    current,
    writes: { ...fields, ...back, ...statuses },
    filled,
    back,
    outcome,
    remembered,
    pinned,
  };
}

/** What people wrote while our write was under way counts as theirs from now on, blank or not. */
function pinnedOf({ theirs, taken }: RecoveredRecord, mark: Mark): Remembered {
  const lost = Object.entries(taken).map(([property, { lost }]): [string, string] => [property, lost]);
  const values = [...Object.entries(theirs), ...lost];
  return Object.fromEntries(values.map(([property, value]) => [property, mark(property, value)]));
}

/** What our write took from somebody, where it still stands in its place. */
function backOf({ taken }: RecoveredRecord, { properties }: CrmRecord): Record<string, string> {
  const back = Object.entries(taken).filter(([property, { by }]) => (properties[property] ?? '') === by);
  return Object.fromEntries(back.map(([property, { lost }]) => [property, lost]));
}

/** Somebody may opt out while the question is being asked. */
function optedOut(draft: Draft): Draft {
  const reason = SKIP_REASONS['opted-out'];
  return { ...draft, outcome: 'skipped', status: 'skipped', reason, proposals: [], dropped: [] };
}

export function creditsOf(answered: Answered): number {
  return answered.kind === 'found' ? answered.credits : answered.ending.credits;
}

function currentOf(
  deps: EnrichmentDeps,
  found: { readonly now: CrmReading; readonly answered: Answered; readonly before: RecoveredRecord },
): Planned['current'] {
  const { kind, held } = found.answered;
  if (found.now.failed.has(held.id)) return 'unreadable';
  const record = found.now.records.get(held.id);
  if (record?.id !== held.id) return 'gone';
  if (kind !== 'found') return record;
  const seen = withoutOwn(record, { held, before: found.before });
  return fingerprintOf(seen, deps) === fingerprintOf(held.record, deps) ? record : 'changed';
}

/** What an earlier attempt of this run wrote makes nobody somebody else. */
function withoutOwn(
  record: CrmRecord,
  { held, before }: { held: HeldRecord; before: RecoveredRecord },
): CrmRecord {
  const own = [...Object.keys(before.remembered), ...Object.keys(before.taken)];
  const asRead = own.map((property) => [property, held.record.properties[property] ?? null]);
  return { ...record, properties: { ...record.properties, ...Object.fromEntries(asRead) } };
}

function isNew({ askedAtMs }: { askedAtMs: number }, { state }: HeldRecord): boolean {
  return askedAtMs > (state.answeredAtMs ?? 0);
}
