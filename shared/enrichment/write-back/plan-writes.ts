import type { CrmReading, CrmRecord, PropertyDefinitions } from '#shared/crm';
import {
  admissionOf,
  createMark,
  createNormalise,
  decideWrites,
  isLastWritten,
  type KeptProperty,
  type LastWritten,
  type Mark,
  type Normalise,
  outOfShadow,
  togetherOrNot,
} from '#shared/field-policy';
import { textOf, weighEvidence } from '#shared/identity';
import type { ChangeRate, OutcomeKind } from '#shared/records';
import { barredBy } from '../ask/admit-record.ts';
import { creditsOf, type RecordAnswer } from '../ask/answered.ts';
import { hasOptedOut } from '../ask/plan.ts';
import { SKIP_REASONS } from '../ask/plan-record.ts';
import { fingerprintOf, isAskedFor } from '../memory.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';
import { changeSeen } from './change-seen.ts';
import { declinedIn, type LeftOut, statusProposals, type WriteDraft } from './draft.ts';
import { jobChangeWrites } from './job-change.ts';
import { noticeOf } from './notice.ts';
import type { PlannedWrite } from './planned-write.ts';
import { backOf, NOTHING_RECOVERED, pinnedOf, type Recovered, type RecoveredRecord } from './recover.ts';

export interface WritePlan extends PlannedWrite {
  readonly draft: WriteDraft;
  /**
   * The record as it is now; `gone` when it was deleted or merged away meanwhile, `changed` when somebody made it
   * a record of somebody else, of whom the answer tells nothing.
   */
  readonly current: CrmRecord | 'gone' | 'unreadable' | 'changed';
  /** Properties that would be written if the policy did not keep them in shadow. */
  readonly proposed: readonly string[];
  /** Nothing at all is written: the whole policy is in shadow. */
  readonly isShadow?: boolean;
  /** What of the answer is not written, and why. */
  readonly kept: readonly KeptProperty[];
  readonly outcome: OutcomeKind;
  /** Of the outcome, for a person. */
  readonly reason: string;
  /** What was ours before this write. */
  readonly lastWritten: LastWritten;
  /** How often the record's answers change, as this one teaches. */
  readonly changeRate?: ChangeRate | undefined;
  /** The answer names another employer than a person does. */
  readonly isMixed?: boolean;
}

/** What a draft is held against: the records as they are now, and the portal's properties. */
export interface Present {
  readonly now: CrmReading;
  readonly definitions: PropertyDefinitions;
  readonly recovered: Recovered;
  /** By contact id, when data of its person were first obtained; only where HubSpot is to be told. */
  readonly firstAtMs?: ReadonlyMap<string, number>;
}

/** Applies the policy to what is there now: only differences remain. */
export function planWrites(
  services: EnrichmentServices,
  given: WriteDraft,
  { now, definitions, recovered, firstAtMs }: Present,
): WritePlan {
  const { held, answered } = given;
  const before = recovered.get(held.id) ?? NOTHING_RECOVERED;
  const lastWritten = { ...held.state.lastWritten, ...before.lastWritten };
  const creditsSpent = held.state.creditsSpent + creditsOf(answered);
  const current = recordToWrite(services, { now, before, ...given });
  const mark = createMark({ definitions, hash: services.digest.keyed });
  const draft =
    typeof current === 'string' ? given : heldAgainst(services, given, { current, lastWritten, mark });
  if (typeof current === 'string') return { draft, current, ...NOTHING, reason: draft.reason, lastWritten };
  const pinned = pinnedOf(before, mark);
  const asked = isAskedFor(held);
  const rules = {
    current: current.properties,
    lastWritten,
    asked,
    // Who asks for the record wants blanks filled, but not those of this very moment.
    pinned: { ...(asked ? notBlank(held.state.pinned, mark) : held.state.pinned), ...pinned },
    mark,
    filled: filledBefore(held, asked),
    normalise: createNormalise(definitions),
  };
  const back = backOf(before, current);
  const proposals = draft.proposals.filter(({ property }) => !Object.hasOwn(back, property));
  const decided = decideWrites({ ...rules, proposed: proposals });
  const isOurs = (name: string) => isLastWritten(rules, name, mark(name, current.properties[name] ?? null));
  const isAnotherEmployer = namesAnotherEmployer(draft, current, isOurs);
  const { writes: together, heldBackBy } = togetherOrNot(isAnotherEmployer, proposals, decided);
  const isHeldBack = heldBackBy !== undefined;
  const moved = { draft, current, isOurs, isHeldBack, isAnotherEmployer };
  const jobChange = jobChangeWrites(services, { ...moved, writes: together });
  const { fields, proposed, isShadow } = sift(services, draft, { ...together, ...jobChange });
  const filled = Object.keys(fields);
  const isSame = filled.length === 0 && !before.isWritten && draft.outcome === 'enriched';
  const outcome = isSame ? 'unchanged' : draft.outcome;
  const isNewer = answered.kind === 'found' && answered.askedAtMs > (held.state.answeredAtMs ?? 0);
  // After an undo of everything HubSpot has to be told of the same answer again.
  const isToTell = isNewer || (filled.length > 0 && !current.properties['enrichment_source']);
  const answer = answered.kind === 'found' && isToTell ? answered : undefined;
  const isJobChange = Object.hasOwn(jobChange, 'enrichment_job_changed_at');
  const learnt = changeSeen({
    ...{ draft, current, decided, isOurs, isJobChange, isHeldBack },
    ...{ isWritten: before.isWritten, askedAtMs: answer?.askedAtMs },
  });
  // An answer that the record has had already says nothing new of it: its status stays as it is.
  const isNews = answer !== undefined && !hasHeardOf(answer, { current, normalise: rules.normalise });
  const stays = !isNews && outcome === 'unchanged' && current.properties['enrichment_status'] === 'enriched';
  const status = draft.status === 'enriched' && !stays ? outcome : draft.status;
  const reason = reasonOf(draft, { heldBackBy, proposed });
  const notice = noticeOf(services, current, firstAtMs?.get(held.id));
  const { trustUntilMs } = learnt;
  const told = { reason, creditsSpent, answer, requested: held.requested, trustUntilMs, ...notice };
  const proposedStatuses = statusProposals(
    { ...told, status: isHeldBack ? 'review' : status },
    definitions,
  ).filter(({ property }) => !draft.leftOut?.some((each) => each.property === property));
  const decidedStatuses = decideWrites({ ...rules, proposed: proposedStatuses }).writes;
  const statuses = isShadow ? {} : { ...decidedStatuses, ...notice.emptied };
  return {
    ...{ draft, current, filled, proposed, isShadow, back, outcome, reason, lastWritten, pinned },
    writes: { ...fields, ...back, ...statuses },
    kept: decided.kept,
    changeRate: learnt.changeRate,
    isMixed: isHeldBack,
  };
}

/** Whether the texts of a contact name another employer than the answer does. */
function namesAnotherEmployer(
  { answered, families }: WriteDraft,
  record: CrmRecord,
  isOurs: (property: string) => boolean,
): boolean {
  if (answered.kind !== 'found') return false;
  const { answer } = answered;
  return weighEvidence('stated', { record, answer, families, isOurs }).kind === 'contradiction';
}

/** Whether HubSpot has been told of the answer: by a run that was cut off before it could say so. */
function hasHeardOf(
  { askedAtMs }: { readonly askedAtMs: number },
  { current, normalise }: { readonly current: CrmRecord; readonly normalise: Normalise },
): boolean {
  const told = current.properties['enrichment_last_at'] ?? '';
  const same = normalise('enrichment_last_at', new Date(askedAtMs).toISOString());
  return normalise('enrichment_last_at', told) === same;
}

/** What of the values is written, and what only proposed; nothing waits that a person has accepted, nor is rejected. */
function sift(
  { policy }: Pick<EnrichmentServices, 'policy'>,
  { held, answered }: WriteDraft,
  all: Readonly<Record<string, string>>,
) {
  const isAccepted = answered.kind === 'found' && answered.accepted !== undefined;
  const declined = new Set(declinedIn({ held, answered }));
  const values = Object.fromEntries(Object.entries(all).filter(([property]) => !declined.has(property)));
  const fields = isAccepted ? values : outOfShadow(policy, held.objectType, values);
  const proposed = Object.keys(values).filter((property) => !Object.hasOwn(fields, property));
  return { fields, proposed, isShadow: !isAccepted && policy.mode === 'shadow' };
}

const NOTHING = {
  writes: {},
  filled: [],
  proposed: [],
  kept: [],
  back: {},
  outcome: 'skipped',
  pinned: {},
} as const;

/** What somebody had filled and is blank by now stays blank; who asks for the record minds only this very moment. */
function filledBefore({ record, state, emptied = [] }: ClaimedRecord, asked: boolean): ReadonlySet<string> {
  const filled = Object.keys(record.properties).filter((name) => textOf(record, name));
  return new Set([...filled, ...emptied, ...(asked ? [] : (state.filled ?? []))]);
}

interface Unwritten {
  readonly heldBackBy: string | undefined;
  readonly proposed: readonly string[];
}

function reasonOf({ reason, leftOut = [] }: WriteDraft, { heldBackBy, proposed }: Unwritten): string {
  return [
    reason,
    ...leftOut.map(REFUSED),
    ...(heldBackBy ? [MIXED(heldBackBy)] : []),
    ...(proposed.length > 0 ? [`Up for review, and not written: ${proposed.join(', ')}.`] : []),
  ].join(' ');
}

const REFUSED = ({ property, reason }: LeftOut) => `HubSpot refused ${property} (${reason}).`;

const MIXED = (property: string) =>
  `It names another employer, and ${property} is a person's: nothing of it was mixed in.`;

function notBlank(pinned: LastWritten = {}, mark: Mark): LastWritten {
  return Object.fromEntries(
    Object.entries(pinned).filter(([property, known]) => known !== mark(property, '')),
  );
}

interface Seen {
  readonly current: CrmRecord;
  readonly lastWritten: LastWritten;
  readonly mark: Mark;
}

/** What the record says by now may leave nothing of the answer to be written. */
function heldAgainst(
  { policy, clock }: EnrichmentServices,
  draft: WriteDraft,
  { current, lastWritten, mark }: Seen,
): WriteDraft {
  if (hasOptedOut(current)) return withoutValues(draft, SKIP_REASONS['opted-out']);
  const { held, answered } = draft;
  const admission = admissionOf(policy, current, { nowMs: clock.now() });
  // Somebody may withdraw a consent, or stop being a customer, while the question is being asked.
  const barred = barredBy({ ...held, admission }, clock.now());
  const isBarred = barred?.kind === 'not-admitted';
  if (answered.kind === 'found' && answered.accepted === undefined && isBarred)
    return withoutValues(draft, barred.reason);
  const email = current.properties['email'] ?? null;
  const { elsewhere } = draft;
  const isOurs = elsewhere?.by === 'address' && lastWritten['email'] === mark('email', email);
  if (!elsewhere || isOurs) return draft;
  const { reason } = elsewhere;
  return { ...draft, outcome: 'unmatched', status: 'review', reason, proposals: [], dropped: [] };
}

/** The answer is paid for and stays stored, but nothing of it is written. */
function withoutValues(draft: WriteDraft, reason: string): WriteDraft {
  const nothing = { proposals: [], dropped: [], isSomebodyElse: false, isUnclear: false };
  return { ...draft, outcome: 'skipped', status: 'skipped', reason, ...nothing };
}

interface Reread {
  readonly now: CrmReading;
  readonly answered: RecordAnswer;
  readonly before: RecoveredRecord;
  readonly isSomebodyElse?: boolean | undefined;
}

/** The record as it is now, or why it is not written. */
function recordToWrite(services: EnrichmentServices, reread: Reread): WritePlan['current'] {
  const { kind, held } = reread.answered;
  if (reread.now.failed.has(held.id)) return 'unreadable';
  const record = reread.now.records.get(held.id);
  if (record?.id !== held.id) return 'gone';
  const isBound = kind === 'found' || reread.isSomebodyElse;
  return isBound && hasOtherIdentity(services, record, reread) ? 'changed' : record;
}

/** Whether somebody changed the record's identity since it was read. Values that this run wrote are no such change. */
function hasOtherIdentity(
  services: EnrichmentServices,
  record: CrmRecord,
  { answered: { held }, before }: Reread,
): boolean {
  const own = [...Object.keys(before.lastWritten), ...Object.keys(before.taken)];
  const asRead = own.map((property) => [property, held.record.properties[property] ?? null]);
  const seen = { ...record, properties: { ...record.properties, ...Object.fromEntries(asRead) } };
  return fingerprintOf(seen, services) !== fingerprintOf(held.record, services);
}
