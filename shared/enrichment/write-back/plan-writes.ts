import type { CrmReading, CrmRecord, ObjectType, PropertyDefinitions } from '#shared/crm';
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
  type Policy,
  type Proposal,
  textAt,
} from '#shared/field-policy';
import { standsInOtherName, textOf, weighEvidence } from '#shared/identity';
import type { Digest } from '#shared/kernel';
import {
  decideWrites,
  type Explanation,
  holdsOurValue,
  isRejectedByPerson,
  type KeptProperty,
  mayWrite,
  type Ownership,
  type OwnershipChange,
  verdictOn,
  type WrittenByOthers,
  withOwnership,
} from '#shared/ownership';
import { because, type OutcomeKind, totalCredits, withNotes } from '#shared/records';
import { barredBy, creditsOf, type RecordAnswer } from '../ask/endings.ts';
import { hasOptedOut } from '../ask/plan-record.ts';
import { fingerprintOf, requesterOf } from '../memory.ts';
import { type KnownProperties, knownProperties, type PortalShape } from '../read-records.ts';
import type { EnrichmentServices } from '../services.ts';
import {
  backOf,
  broughtBackOf,
  NOTHING_RECOVERED,
  ownByHistory,
  type Recovered,
  type RecoveredRecord,
  withEmptied,
} from './by-history.ts';
import { draftsOf, nextCheckOf, noticeOf, statusProposals, type WriteDraft } from './draft.ts';
import type { PlannedWrite } from './guarded-writes.ts';

interface Former {
  readonly current: CrmRecord;
  readonly proposals: readonly Proposal[];
  readonly isOurs: (property: string) => boolean;
}

/**
 * Clears our values of the former identity that the new answer does not replace. They would describe the wrong person
 * or company.
 */
function clearFormer(
  { fields }: Pick<Policy, 'fields'>,
  { current, proposals, isOurs }: Former,
): Record<string, string> {
  const replaced = new Set(proposals.map(({ property }) => property));
  const remaining = fields[current.objectType].filter(
    ({ property, write }) =>
      (write === 'fill-blank' || write === 'ours') &&
      !replaced.has(property) &&
      textOf(current, property) !== undefined &&
      isOurs(property),
  );
  return Object.fromEntries(remaining.map(({ property }) => [property, '']));
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

/**
 * Returns the flag for an outdated address; `undefined` if the flag does not change. The address itself stays, because
 * without it the contact would lose its subscriptions.
 */
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

/**
 * Plans the differences from the present values: first the values, by policy and ownership; then how the run ends; then
 * the statuses.
 */
export function planWrites(
  services: EnrichmentServices,
  given: WriteDraft,
  { now, definitions, recovered, isKnown, firstAtMs }: Present,
): WritePlan {
  const { held } = given;
  const before = recovered.get(held.id) ?? NOTHING_RECOVERED;
  const current = recordToWrite(services, { now, before, isKnown, ...given });
  const { rules, request, learned } = whoseValues(services, given, { definitions, before, current });
  const facts = { ownership: rules.ownership, others: rules.others, learned };
  if (typeof current === 'string')
    return { draft: given, current, ...NO_WRITES, ...facts, reason: given.reason };
  const draft = adaptDraft(services, given, { ...rules, current, isKnown });
  const seen = { draft, current, rules, request, back: backOf(before, current) };
  const values = valueWrites(services, seen);
  const end = endOf(seen, { ...values, isWritten: before.isWritten });
  const writes = { ...values.fields, ...seen.back };
  // A rule for notices may read a value that this run writes.
  const written = { ...current, properties: { ...current.properties, ...writes } };
  const notice = noticeOf(services, written, firstAtMs?.get(held.id));
  const statuses = statusWrites(services, seen, { ...end, isShadow: values.isShadow, notice });
  return {
    ...facts,
    draft,
    current,
    filled: values.filled,
    proposed: values.proposed,
    isShadow: values.isShadow,
    back: seen.back,
    outcome: end.outcome,
    status: end.status,
    reason: end.reason,
    broughtBack: learned.broughtBack,
    writes: { ...writes, ...statuses },
    kept: values.kept,
    isMixed: values.heldBackBy !== undefined,
  };
}

interface SeenDraft extends Pick<ReturnType<typeof whoseValues>, 'rules' | 'request'> {
  readonly draft: WriteDraft;
  readonly current: CrmRecord;
  /** People's values that our write replaced, and that are restored. */
  readonly back: Readonly<Record<string, string>>;
}

/** Decides the values by policy and ownership. An employer's values and an address are written together or not at all. */
function valueWrites(services: EnrichmentServices, { draft, current, rules, request, back }: SeenDraft) {
  const { answered } = draft;
  const { ownership, mark } = rules;
  const isJobAccepted = answered.kind === 'found' && answered.accepted === 'job-change';
  const proposals = (isJobAccepted ? acceptedJob(draft.proposals) : draft.proposals).filter(
    (proposal) => !Object.hasOwn(back, proposal.property) && !standsInOtherName(current, proposal),
  );
  const { writes: decided, kept } = decideWrites({ ...rules, request, proposed: proposals });
  const isOurs = (name: string) =>
    holdsOurValue(ownership, name, mark(name, current.properties[name] ?? null));
  const isAnotherEmployer = namesAnotherEmployer(draft, current, isOurs);
  const placed = keepAddressTogether(current.properties, proposals, { writes: decided, kept });
  const { writes, heldBackBy } = keepEmployerTogether(isAnotherEmployer, proposals, { writes: placed, kept });
  const isHeldBack = heldBackBy !== undefined;
  const jobChange = jobChangeWrites(services, {
    draft,
    current,
    isOurs,
    isHeldBack,
    isAnotherEmployer,
    writes,
  });
  const split = splitShadow(services, draft, { together: writes, jobChange, ...rules, request });
  const keptPlace = Object.keys(decided).filter((name) => !Object.hasOwn(placed, name));
  return { ...split, filled: Object.keys(split.fields), kept, heldBackBy, keptPlace };
}

type Values = ReturnType<typeof valueWrites>;

/** Decides how the run ends. `answer` is the answer that the statuses report; absent if HubSpot shows it already. */
function endOf(
  { draft, current, rules }: SeenDraft,
  { filled, isWritten, ...values }: Values & { readonly isWritten: boolean },
) {
  const { held, answered } = draft;
  const hasNoNewValue = filled.length === 0 && !isWritten && draft.outcome === 'enriched';
  const outcome = hasNoNewValue ? 'unchanged' : draft.outcome;
  // The state takes the dates of any other answer too, also of an older one.
  const isOther = answered.kind === 'found' && answered.askedAtMs !== held.state.answeredAtMs;
  // After an undo of all values, the same answer is reported to HubSpot again.
  const isReported = isOther || (filled.length > 0 && !current.properties['enrichment_source']);
  const answer = answered.kind === 'found' && isReported ? answered : undefined;
  // If the record has had the answer before, its status stays.
  const isNews = answer !== undefined && !showsAnswer(answer, { current, normalise: rules.normalise });
  const keepsStatus =
    !isNews && outcome === 'unchanged' && current.properties['enrichment_status'] === 'enriched';
  const ownStatus = draft.status === 'enriched' && !keepsStatus ? outcome : draft.status;
  const verdict = answered.kind === 'found' ? verdictOn(rules.verdicts, answered) : undefined;
  const needsReview = values.heldBackBy !== undefined && !(verdict && isRejectedByPerson(verdict));
  const status: EnrichmentStatus = needsReview ? 'review' : ownStatus;
  return { outcome, status, reason: reasonOf(draft, { ...values, ...rules }), answer };
}

interface Ended extends Omit<ReturnType<typeof endOf>, 'outcome'> {
  readonly isShadow: boolean;
  readonly notice: ReturnType<typeof noticeOf>;
}

/** Returns the statuses that differ. In shadow mode, only a request is set back, so that a workflow can make the next. */
function statusWrites(
  { policy: { timeZone } }: EnrichmentServices,
  { draft, current, rules, request }: SeenDraft,
  { isShadow, notice, ...end }: Ended,
): Readonly<Record<string, string>> {
  const { held, answered, leftOut } = draft;
  const creditsSpent = totalCredits({ ...held.state, run: { ...held.run, credits: creditsOf(answered) } });
  const next = nextCheckOf(draft, { current, isReported: end.answer !== undefined });
  const status = { ...end, timeZone, creditsSpent, requested: held.requested, ...next, ...notice };
  const proposed = statusProposals(status, rules.definitions).filter(
    ({ property }) => !leftOut?.some((each) => each.property === property),
  );
  const { writes } = decideWrites({ ...rules, request: { by: request.by }, proposed });
  const { enrichment_requested: endOfRequest } = writes;
  if (isShadow) return endOfRequest === undefined ? {} : { enrichment_requested: endOfRequest };
  return { ...writes, ...next.emptied, ...notice.emptied };
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

type Unwritten = Pick<Values, 'heldBackBy' | 'keptPlace' | 'proposed'> &
  Pick<SeenDraft['rules'], 'current' | 'definitions'>;

/** Names what was not written. Of values that do not fit, only those whose property is blank. */
function reasonOf(
  { reason, leftOut = [], dropped }: WriteDraft,
  { heldBackBy, keptPlace, proposed, current, definitions }: Unwritten,
): Explanation {
  const labelOf = (property: string) => definitions.get(property)?.label ?? property;
  const missing = dropped.filter(({ property }) => definitions.has(property) && !current[property]);
  return withNotes(reason, [
    ...leftOut.map(({ property, reason: why }) => because('property-refused', { property, why })),
    ...(heldBackBy ? [because('job-held-back', { property: heldBackBy, label: labelOf(heldBackBy) })] : []),
    ...(keptPlace.length > 0 ? [because('place-kept', { labels: keptPlace.map(labelOf) })] : []),
    ...missing.map(({ property, code }) => because('value-unfit', { label: labelOf(property), why: code })),
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
      definitions,
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

interface Planning {
  readonly objectType: ObjectType;
  readonly answers: readonly RecordAnswer[];
  readonly read: { readonly now: CrmReading; readonly portal: PortalShape };
}

/**
 * Plans how a policy would write stored answers over the present values. Uses the worker's own functions. Writes
 * nothing. Reads HubSpot's history if a record has no ownership entries, and before a blank is filled.
 * @returns the plans in the order of the answers.
 */
export async function planStored(
  given: EnrichmentServices,
  policy: Policy,
  { objectType, answers, read: { now, portal } }: Planning,
): Promise<readonly WritePlan[]> {
  const services = { ...given, policy };
  const drafts = await draftsOf(services, answers, portal);
  const { definitions } = portal;
  const basis = { objectType, drafts, now, definitions, recovered: new Map() };
  const recovered = (await ownByHistory(services, basis)) ?? basis.recovered;
  const isKnown = await knownProperties(services, objectType);
  const present = { now, definitions, recovered, isKnown };
  const plan = (draft: WriteDraft) => planWrites(services, draft, present);
  const planned = drafts.map(plan);
  const blanks = new Map(planned.map((writePlan) => [writePlan.draft.held.id, blanksFilled(writePlan)]));
  const held = await withEmptied(
    services,
    planned.map(({ draft }) => draft.held),
    ({ id }) => blanks.get(id) ?? [],
  );
  return planned.map((writePlan, index) => {
    const { draft } = writePlan;
    const known = held[index];
    return known && known !== draft.held ? plan({ ...draft, held: known }) : writePlan;
  });
}

/**
 * Returns blanks that the plan would fill. A person may have emptied them, and we do not know this if the policy names
 * properties that were never read.
 */
function blanksFilled({ current, filled }: WritePlan): string[] {
  return typeof current === 'string' ? [] : filled.filter((property) => !textOf(current, property));
}
