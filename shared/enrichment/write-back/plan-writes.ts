import type { CrmReading, CrmRecord, PropertyDefinitions } from '#shared/crm';
import {
  acceptedJob,
  admissionOf,
  createMark,
  createNormalise,
  type EnrichmentStatus,
  keepAddressTogether,
  keepEmployerTogether,
  leftBehind,
  type Mark,
  type Normalise,
  outOfShadow,
  textAt,
} from '#shared/field-policy';
import { standsInOtherName, textOf, weighEvidence } from '#shared/identity';
import type { Digest } from '#shared/kernel';
import {
  decideWrites,
  type Explanation,
  holdsOurValue,
  type KeptProperty,
  mayWrite,
  type Ownership,
  type OwnershipChange,
  type WrittenByOthers,
  withOwnership,
} from '#shared/ownership';
import { because, type OutcomeKind, totalCredits, withNotes } from '#shared/records';
import { creditsOf, type RecordAnswer } from '../ask/answered.ts';
import { barredBy } from '../ask/barred-by-rules.ts';
import { hasOptedOut } from '../ask/plan-record.ts';
import { fingerprintOf, requesterOf } from '../memory.ts';
import type { KnownProperties } from '../read-records.ts';
import type { EnrichmentServices } from '../services.ts';
import { clearFormer, noticeOf, statusProposals, type WriteDraft } from './draft.ts';
import type { PlannedWrite } from './guarded-writes.ts';
import { backOf, broughtBackOf, NOTHING_RECOVERED, type Recovered, type RecoveredRecord } from './recover.ts';

export interface WritePlan extends PlannedWrite {
  readonly draft: WriteDraft;
  /**
   * The present record. `gone`: it was deleted or merged since the read. `unreadable`: HubSpot did not return it.
   * `changed`: a person edited it so that it describes another person or company, or its rule can no longer be read.
   */
  readonly current: CrmRecord | 'gone' | 'unreadable' | 'changed';
  /** Properties that would be written without shadow mode. */
  readonly proposed: readonly string[];
  /** Whether the whole policy is in shadow mode. If so, nothing is written. */
  readonly isShadow?: boolean;
  /** Values of the answer that are not written, with the reason. */
  readonly kept: readonly KeptProperty[];
  readonly outcome: OutcomeKind;
  /** `enrichment_status` in HubSpot. */
  readonly status: EnrichmentStatus;
  readonly reason: Explanation;
  /** Ownership of the values before this write, including HubSpot's history. */
  readonly ownership: Ownership;
  /** Ownership that this plan adds. */
  readonly learned: OwnershipChange;
  readonly others: WrittenByOthers;
  /** Whether the answer names another employer than a value that a person entered. */
  readonly isMixed?: boolean;
}

/** The present records and the portal's properties. */
export interface Present {
  readonly now: CrmReading;
  readonly definitions: PropertyDefinitions;
  readonly recovered: Recovered;
  /** Whether HubSpot has a property that a rule reads. */
  readonly isKnown: KnownProperties | undefined;
  /**
   * For each contact id, when we first obtained data about this person. Set only if the date must be written to
   * HubSpot.
   */
  readonly firstAtMs?: ReadonlyMap<string, number>;
}

/** Applies the policy to the present values, and plans the differences. */
export function planWrites(
  services: EnrichmentServices,
  given: WriteDraft,
  { now, definitions, recovered, isKnown, firstAtMs }: Present,
): WritePlan {
  const { held, answered } = given;
  const before = recovered.get(held.id) ?? NOTHING_RECOVERED;
  const creditsSpent = totalCredits({ ...held.state, run: { ...held.run, credits: creditsOf(answered) } });
  const current = recordToWrite(services, { now, before, isKnown, ...given });
  const { rules, request, learned } = whoseValues(services, given, { definitions, before, current });
  const { ownership, others, mark } = rules;
  const ownershipFacts = { ownership, others, learned };
  const draft =
    typeof current === 'string' ? given : adaptDraft(services, given, { ...rules, current, isKnown });
  if (typeof current === 'string')
    return { draft, current, ...NO_WRITES, ...ownershipFacts, reason: draft.reason };
  const back = backOf(before, current);
  const isJobAccepted = answered.kind === 'found' && answered.accepted === 'job-change';
  const proposals = (isJobAccepted ? acceptedJob(draft.proposals) : draft.proposals).filter(
    (proposal) => !Object.hasOwn(back, proposal.property) && !standsInOtherName(current, proposal),
  );
  const decided = decideWrites({ ...rules, request, proposed: proposals });
  const isOurs = (name: string) =>
    holdsOurValue(ownership, name, mark(name, current.properties[name] ?? null));
  const isAnotherEmployer = namesAnotherEmployer(draft, current, isOurs);
  const placed = keepAddressTogether(current.properties, proposals, decided);
  const together = { writes: placed, kept: decided.kept };
  const { writes: jointWrites, heldBackBy } = keepEmployerTogether(isAnotherEmployer, proposals, together);
  const isHeldBack = heldBackBy !== undefined;
  const jobChangeInput = { draft, current, isOurs, isHeldBack, isAnotherEmployer, writes: jointWrites };
  const jobChange = jobChangeWrites(services, jobChangeInput);
  const { fields, proposed, isShadow } = splitShadow(services, draft, {
    together: jointWrites,
    jobChange,
    ...rules,
    request,
  });
  const filled = Object.keys(fields);
  const hasNoNewValue = filled.length === 0 && !before.isWritten && draft.outcome === 'enriched';
  const outcome = hasNoNewValue ? 'unchanged' : draft.outcome;
  const isNewer = answered.kind === 'found' && answered.askedAtMs > (held.state.answeredAtMs ?? 0);
  // After an undo of all values, the same answer is reported to HubSpot again.
  const isReported = isNewer || (filled.length > 0 && !current.properties['enrichment_source']);
  const answer = answered.kind === 'found' && isReported ? answered : undefined;
  // If the record has had the answer before, its status stays.
  const isNews = answer !== undefined && !showsAnswer(answer, { current, normalise: rules.normalise });
  const keepsStatus =
    !isNews && outcome === 'unchanged' && current.properties['enrichment_status'] === 'enriched';
  const ownStatus = draft.status === 'enriched' && !keepsStatus ? outcome : draft.status;
  const status = isHeldBack ? 'review' : ownStatus;
  const reason = reasonOf(draft, { heldBackBy, proposed });
  const notice = noticeOf(services, current, firstAtMs?.get(held.id));
  const next = nextCheckOf(draft, { current, isReported });
  const statusInput = { reason, creditsSpent, answer, requested: held.requested, ...next, ...notice };
  const proposedStatuses = statusProposals({ ...statusInput, status }, definitions).filter(
    ({ property }) => !draft.leftOut?.some((each) => each.property === property),
  );
  const ofStatuses = { ...rules, request: { by: request.by }, proposed: proposedStatuses };
  const decidedStatuses = decideWrites(ofStatuses).writes;
  // A request ends in shadow mode too. While it stays set, a workflow cannot make the next one.
  const { enrichment_requested: endOfRequest } = decidedStatuses;
  const shadowStatuses = endOfRequest === undefined ? {} : { enrichment_requested: endOfRequest };
  const statuses = isShadow ? shadowStatuses : { ...decidedStatuses, ...next.emptied, ...notice.emptied };
  return {
    draft,
    current,
    filled,
    proposed,
    isShadow,
    back,
    outcome,
    status,
    reason,
    ...ownershipFacts,
    broughtBack: learned.broughtBack,
    writes: { ...fields, ...back, ...statuses },
    kept: decided.kept,
    isMixed: isHeldBack,
  };
}

/**
 * Returns when the record is due for its next lookup: a match at the end of its freshness, a miss at its retry. The date
 * of a record that the policy does not refresh is emptied.
 */
function nextCheckOf(
  { outcome, held: { admission }, answered }: WriteDraft,
  { current, isReported }: { readonly current: CrmRecord; readonly isReported: boolean },
): { readonly nextCheckMs?: number | undefined; readonly emptied?: Readonly<Record<string, string>> } {
  const isNeverDue = !admission.refresh || (!admission.enrich && admission.missing === undefined);
  if (isNeverDue)
    return current.properties['enrichment_next_check_at']
      ? { emptied: { enrichment_next_check_at: '' } }
      : {};
  if (outcome === 'skipped') return {};
  if (answered.kind === 'found') return isReported ? { nextCheckMs: answered.expiresAtMs } : {};
  return { nextCheckMs: answered.runOutcome.learned.staleAtMs };
}

/** Whether text properties of the contact name another employer than the answer does. */
function namesAnotherEmployer(
  { answered, families }: WriteDraft,
  record: CrmRecord,
  isOurs: (property: string) => boolean,
): boolean {
  if (answered.kind !== 'found') return false;
  const { answer } = answered;
  return weighEvidence('stated', { record, answer, families, isOurs }).kind === 'contradiction';
}

/** Whether HubSpot already shows the answer, because an interrupted run wrote it. */
function showsAnswer(
  { askedAtMs }: { readonly askedAtMs: number },
  { current, normalise }: { readonly current: CrmRecord; readonly normalise: Normalise },
): boolean {
  const shown = current.properties['enrichment_last_at'] ?? '';
  const same = normalise('enrichment_last_at', new Date(askedAtMs).toISOString());
  return normalise('enrichment_last_at', shown) === same;
}

interface ShadowInput extends Omit<Parameters<typeof mayWrite>[0], 'rule' | 'current'> {
  readonly together: Readonly<Record<string, string>>;
  readonly jobChange: Readonly<Record<string, string>>;
  readonly current: CrmRecord['properties'];
  readonly mark: Mark;
}

/**
 * Splits the values into written values and proposed values. If a person accepted the answer, all its values are
 * written. A blank value replaces a value only if we wrote it.
 */
function splitShadow(
  { policy }: Pick<EnrichmentServices, 'policy'>,
  { held, answered }: WriteDraft,
  { together, jobChange, current, mark, ...known }: ShadowInput,
) {
  const isAccepted = answered.kind === 'found' && answered.accepted !== undefined;
  const allowedJobChange = Object.entries(jobChange).filter(([property, sent]) => {
    const value = current[property] ?? null;
    const rule = { property, write: sent === '' ? 'ours' : 'always' } as const;
    return mayWrite({ ...known, rule, current: { value, mark: mark(property, value) } }).may;
  });
  const values = { ...together, ...Object.fromEntries(allowedJobChange) };
  const fields = isAccepted ? values : outOfShadow(policy, held.objectType, values);
  const proposed = Object.keys(values).filter((property) => !Object.hasOwn(fields, property));
  return { fields, proposed, isShadow: !isAccepted && policy.mode === 'shadow' };
}

const NO_WRITES = {
  writes: {},
  filled: [],
  proposed: [],
  kept: [],
  back: {},
  outcome: 'skipped',
  status: 'skipped',
  broughtBack: {},
} as const;

interface Unwritten {
  readonly heldBackBy: string | undefined;
  readonly proposed: readonly string[];
}

function reasonOf({ reason, leftOut = [] }: WriteDraft, { heldBackBy, proposed }: Unwritten): Explanation {
  return withNotes(reason, [
    ...leftOut.map(({ property, reason: why }) => because('property-refused', { property, why })),
    ...(heldBackBy ? [because('job-held-back', { property: heldBackBy })] : []),
    ...(proposed.length > 0 ? [because('not-written', { properties: proposed })] : []),
  ]);
}

interface Seen extends Pick<Present, 'isKnown'> {
  readonly current: CrmRecord;
  readonly ownership: Ownership;
  readonly mark: Mark;
}

/** Adapts the draft to the present record, which may allow no write. */
function adaptDraft(
  { policy, clock }: EnrichmentServices,
  draft: WriteDraft,
  { current, ownership, mark, isKnown }: Seen,
): WriteDraft {
  if (hasOptedOut(current)) return withoutValues(draft, because('opted-out'));
  const { held, answered } = draft;
  const admission = admissionOf(policy, current, { nowMs: clock.now(), isKnown });
  // During the lookup, the record may have changed. For example, a person may have withdrawn consent.
  const barred = barredBy({ ...held, admission }, clock.now());
  const isBarred = barred?.kind === 'not-admitted';
  if (answered.kind === 'found' && answered.accepted === undefined && isBarred)
    return withoutValues(draft, barred.reason);
  const email = current.properties['email'] ?? null;
  const { elsewhere } = draft;
  const isOurs = elsewhere?.by === 'address' && holdsOurValue(ownership, 'email', mark('email', email));
  if (!elsewhere || isOurs) return draft;
  const { reason } = elsewhere;
  return { ...draft, outcome: 'unmatched', status: 'review', reason, proposals: [], dropped: [] };
}

/** Drops every value of the draft. The paid answer stays stored. */
function withoutValues(draft: WriteDraft, reason: Explanation): WriteDraft {
  const nothing = { proposals: [], dropped: [], hasNewIdentity: false, isUnclear: false };
  return { ...draft, outcome: 'skipped', status: 'skipped', reason, ...nothing };
}

interface Reread extends Pick<Present, 'isKnown'> {
  readonly now: CrmReading;
  readonly answered: RecordAnswer;
  readonly before: RecoveredRecord;
  readonly hasNewIdentity?: boolean | undefined;
}

/** Returns the present record, or the reason why it is not written. */
function recordToWrite(services: EnrichmentServices, reread: Reread): WritePlan['current'] {
  const { kind, held } = reread.answered;
  if (reread.now.failed.has(held.id)) return 'unreadable';
  const record = reread.now.records.get(held.id);
  if (record?.id !== held.id) return 'gone';
  if (kind === 'found' && isUnreadable(services, record, reread)) return 'changed';
  const needsSameIdentity = kind === 'found' || reread.hasNewIdentity;
  return needsSameIdentity && hasOtherIdentity(services, record, reread) ? 'changed' : record;
}

/**
 * Whether the record's rule reads a property that HubSpot no longer has. If so, it is unknown whether the rule still
 * admits the record.
 */
function isUnreadable(
  { policy, clock }: EnrichmentServices,
  record: CrmRecord,
  { answered, isKnown }: Reread,
): boolean {
  if (answered.kind === 'found' && answered.accepted !== undefined) return false;
  return admissionOf(policy, record, { nowMs: clock.now(), isKnown }).missing !== undefined;
}

/** Whether the record's identity changed since it was read. This run's own writes do not count. */
function hasOtherIdentity(
  services: EnrichmentServices,
  record: CrmRecord,
  { answered: { held }, before }: Reread,
): boolean {
  const ownWrites = [...Object.keys(before.written), ...Object.keys(before.taken)];
  const asRead = ownWrites.map((property) => [property, held.record.properties[property] ?? null]);
  const seen = { ...record, properties: { ...record.properties, ...Object.fromEntries(asRead) } };
  return fingerprintOf(seen, services) !== fingerprintOf(held.record, services);
}

interface JobChangeInput {
  readonly draft: WriteDraft;
  readonly current: CrmRecord;
  readonly isOurs: (property: string) => boolean;
  /** Values of the answer that are written. */
  readonly writes: Readonly<Record<string, string>>;
  /** Whether a person's value keeps the new employer from being written. */
  readonly isHeldBack: boolean;
  readonly isAnotherEmployer: boolean;
}

/**
 * Adds writes for an answer that names another employer: the job-change properties, the flag for an outdated address,
 * and blanks over our values of the old employer. If the record now describes another person, only adds blanks over our
 * values of the former person.
 */
function jobChangeWrites({ policy }: Pick<EnrichmentServices, 'policy'>, input: JobChangeInput) {
  const { draft, current, isOurs, writes, isHeldBack, isAnotherEmployer } = input;
  const { held, answered, proposals, leftOut = [], families } = draft;
  if (draft.hasNewIdentity)
    return isHeldBack || draft.status === 'review' ? {} : clearFormer(policy, { ...input, ...draft });
  if (draft.employer === undefined || answered.kind !== 'found' || draft.outcome === 'skipped') return {};
  const { properties } = current;
  const employerValues = { properties, proposals, rules: policy.fields.contacts, isOurs };
  const hasLeftEmployer = isAnotherEmployer && !isHeldBack && draft.status === 'enriched';
  const cleared = hasLeftEmployer ? leftBehind(employerValues).map((property) => [property, '']) : [];
  const { employer } = held.state;
  const isJobChange = isAnotherEmployer && employer !== undefined && draft.employer !== employer;
  const changes: [string, string | undefined][] = isJobChange
    ? [
        ['enrichment_job_changed_at', new Date(answered.askedAtMs).toISOString()],
        ['enrichment_previous_company', textOf(current, 'company') ?? textOf(current, 'website')],
        ['enrichment_previous_title', textOf(current, 'jobtitle')],
      ]
    : [];
  const isFollowed = employer === undefined && writes['company'] !== undefined && !isOurs('email');
  const outdated = outdatedEmailFlag({
    current,
    answer: answered.answer,
    writes,
    families,
    hasMoved: isJobChange || isFollowed,
  });
  const normalise = createNormalise(held.definitions);
  const differing = [...changes, ['enrichment_email_outdated', outdated] as const].filter(
    ([property, value]) =>
      value !== undefined &&
      held.definitions.has(property) &&
      normalise(property, value) !== normalise(property, properties[property] ?? ''),
  );
  const isAccepted = (property: string) => !leftOut.some((each) => each.property === property);
  const changedValues = [...cleared, ...differing].filter(([property = '']) => isAccepted(property));
  return Object.fromEntries(changedValues) as Record<string, string>;
}

interface Mail {
  readonly current: CrmRecord;
  readonly answer: Readonly<Record<string, unknown>>;
  readonly writes: Readonly<Record<string, string>>;
  readonly hasMoved: boolean;
  readonly families: WriteDraft['families'];
}

/** Returns the flag for an outdated address; `undefined` if the flag does not change. The address itself stays. */
function outdatedEmailFlag({
  current,
  answer,
  writes,
  hasMoved,
  families,
}: Mail): 'true' | 'false' | undefined {
  const email = writes['email'] ?? current.properties['email'] ?? null;
  const { objectType } = current;
  const verdict = weighEvidence('employer', {
    record: { objectType, properties: { email } },
    answer,
    families,
  });
  const isElsewhere = verdict.kind === 'contradiction';
  const isOfAnswer = textAt(answer, ['email'])?.toLowerCase() === email?.trim().toLowerCase();
  if (isElsewhere) return hasMoved && !isOfAnswer ? 'true' : undefined;
  return current.properties['enrichment_email_outdated'] === 'true' ? 'false' : undefined;
}

interface SeenBefore {
  readonly definitions: PropertyDefinitions;
  readonly before: RecoveredRecord;
  /** The present record, or a word for the reason why it is not available. */
  readonly current: CrmRecord | string;
}

/** Returns the facts for every write decision: the ownership of the record's values, and the requester. */
function whoseValues(
  { digest }: { readonly digest: Digest },
  { held, answered }: WriteDraft,
  { definitions, before, current }: SeenBefore,
) {
  const mark = createMark({ definitions, hash: digest.keyed });
  const broughtBack = broughtBackOf(before, mark);
  const { record, state, emptied = [], others } = held;
  const { written } = before;
  const properties = typeof current === 'string' ? {} : current.properties;
  const filled = Object.keys(record.properties).filter((name) => textOf(record, name));
  const blanksGivenBack = Object.keys(broughtBack).filter((name) => broughtBack[name] === mark(name, ''));
  // Restored values that the record no longer has.
  const ended = Object.entries(state.ownership).flatMap(([name, entry]) => {
    const presentMark = Object.hasOwn(properties, name) ? mark(name, properties[name] ?? null) : undefined;
    const outdatedMarks =
      entry.broughtBack?.filter((known) => presentMark !== undefined && known !== presentMark) ?? [];
    return outdatedMarks.length > 0 ? [[name, outdatedMarks] as const] : [];
  });
  const isFound = answered.kind === 'found';
  return {
    rules: {
      ownership: withOwnership(state.ownership, { written, broughtBack }),
      verdicts: state.verdicts,
      others: { ...others, ...before.others },
      current: properties,
      mark,
      normalise: createNormalise(definitions),
    },
    request: {
      by: requesterOf(held),
      answer: isFound ? answered : undefined,
      isAccepted: isFound && answered.accepted !== undefined,
      // If a property was filled at the read and is blank now, a person emptied it during this run.
      keepsBlank: new Set([...filled, ...emptied, ...blanksGivenBack]),
    },
    learned: { written, broughtBack, ended: Object.fromEntries(ended) } satisfies OwnershipChange,
  };
}
