import type { CrmRecord, PropertyDefinitions } from '#shared/crm';
import { type Admission, createMark, isRefreshed, type Policy } from '#shared/field-policy';
import {
  companyDomain,
  mailOf,
  normalIdentity,
  registrableDomain,
  textOf,
  WATCHED_PROPERTIES,
} from '#shared/identity';
import type { Digest } from '#shared/kernel';
import { type AskedBy, entryOf, holdsOurValue, wasEmptied } from '#shared/ownership';
import { type Question, questionKey } from '#shared/questions';
import type { ExplanationCode, Outcome, RecordState, Run } from '#shared/records';
import type { EnrichmentServices } from './services.ts';

type Services = Pick<EnrichmentServices, 'policy' | 'digest' | 'clock'>;

interface Known {
  readonly state: RecordState;
  readonly record: CrmRecord;
}

interface Admitted extends Known {
  readonly admission: Admission;
}

/**
 * Returns a check whether a question is already answered: by this run, or by a recent run while the record is
 * unchanged.
 */
export function paidFor(services: Services, { run, ...known }: Admitted & { readonly run: Run }) {
  const { answeredQuestion } = known.state;
  const key = run.answeredQuestion ?? (isFresh(services, known) ? answeredQuestion : undefined);
  return (question: Question) => key !== undefined && questionKey(question, services.digest) === key;
}

/**
 * Whether the record is not stale, has not changed since it was enriched, and falls under the same rule of the policy.
 */
export function isFresh(
  { policy, digest, clock }: Services,
  { state, record, admission }: Admitted,
): boolean {
  if ((state.staleAtMs ?? 0) <= clock.now()) return false;
  if (state.rule !== admission.rule) return false;
  return state.fingerprint === fingerprintOf(record, { policy, digest });
}

/**
 * Whether a person undid the whole answer, or rejected it. Such an answer is not bought or written again until a person requests the
 * record.
 */
export function wasUndone({ outcome, ownership, verdicts, answeredQuestion }: RecordState): boolean {
  if (outcome?.kind === 'skipped')
    return answeredQuestion !== undefined && Object.values(ownership).some(({ broughtBack }) => broughtBack);
  const isWrong = verdicts.some(
    (verdict) => verdict.rejected?.byPerson && verdict.questionKey === answeredQuestion,
  );
  return outcome?.kind === 'unmatched' && isWrong;
}

/**
 * Returns the time from which the record is due for its next lookup, epoch milliseconds; `undefined` if the policy does
 * not refresh it, nothing is left to look it up by, or a person undid or rejected its last answer.
 */
export function nextCheckAtMs(policy: Policy, state: RecordState): number | undefined {
  const { outcome, staleAtMs } = state;
  const isOver = wasUndone(state) || (outcome !== undefined && leavesNoLookup(outcome));
  return isRefreshed(policy, state) && !isOver ? staleAtMs : undefined;
}

/** Whether no next check is due by the rule that decides now. A rule that cannot be read decides nothing. */
export function isNeverDue({ enrich, refresh, missing }: Admission): boolean {
  return !refresh || (!enrich && missing === undefined);
}

/** Reasons of an end after which no lookup is left until the record changes. */
const NO_LOOKUP: ReadonlySet<string> = new Set<ExplanationCode>([
  ...(['no-identifier', 'no-company-identifier', 'free-mail-only', 'role-mailbox'] as const),
  ...(['opted-out', 'wrong-match', 'rejected-by-person'] as const),
]);

/** Whether a run ended because nothing is left to look the record up by. */
export function leavesNoLookup({ kind, reason }: Pick<Outcome, 'kind' | 'reason'>): boolean {
  return (kind === 'skipped' || kind === 'unmatched') && NO_LOOKUP.has(reason.code);
}

/** Whether a person requested the run, by any channel. Such a run also fills properties that a person emptied. */
export function isRequestedByPerson(held: Asked): boolean {
  return requesterOf(held) === 'person';
}

export function requesterOf({ run: { purpose, asked } }: Asked): AskedBy {
  if (asked !== undefined) return asked.byWorkflow ? 'workflow' : 'person';
  if (purpose === 'backfill') return 'backfill';
  return purpose === 'refresh' ? 'schedule' : 'event';
}

interface Asked {
  readonly run: Pick<Run, 'purpose' | 'asked'>;
}

interface OwnedRecord extends Known, Asked {
  readonly definitions: PropertyDefinitions;
  readonly emptied?: readonly string[];
}

/**
 * Returns checks of a property (must it stay blank, does it hold our value, can we write it) and of a question (is its
 * answer rejected).
 */
export function ownershipOf({ digest }: Pick<Services, 'digest'>, known: OwnedRecord) {
  const { state, record, definitions } = known;
  const mark = createMark({ definitions, hash: digest.keyed });
  // If no ownership is stored for an answered record, HubSpot's history decides later, when there is a value to write.
  const lacksOwnership = state.answeredAtMs !== undefined && Object.keys(state.ownership).length === 0;
  return {
    /** A person emptied the property, by an undo or by hand. It stays blank until a person requests the record. */
    isClosed: (property: string) =>
      known.emptied?.includes(property) === true ||
      (!isRequestedByPerson(known) &&
        wasEmptied(entryOf(state.ownership, property), { mark: mark(property, '') })),
    isOurs: (property: string) =>
      lacksOwnership ||
      holdsOurValue(state.ownership, property, mark(property, record.properties[property] ?? '')),
    /** A person rejected the answer to this question, so it is not asked again. */
    isRejected: (question: Question) =>
      state.verdicts.some(
        (verdict) => verdict.rejected?.byPerson && verdict.questionKey === questionKey(question, digest),
      ),
    isWritable: (property: string) => {
      const definition = definitions.get(property);
      return definition !== undefined && !definition.readOnly;
    },
  };
}

type Identified = Pick<CrmRecord, 'objectType' | 'properties' | 'companyDomain'>;

/**
 * Returns a hash that detects changes since the record was last enriched. A new email from a person or another company
 * changes the hash; our own writes do not. The hash is keyed, so it reveals no value.
 */
export function fingerprintOf(
  record: Identified,
  { policy, digest }: { policy: Policy; digest: Digest },
): string {
  const values = WATCHED_PROPERTIES[record.objectType].map((property) => normalIdentity(record, property));
  const company = identifyingCompany(record);
  const parts = [...values, ...(company === undefined ? [] : [company])];
  return digest.keyed(JSON.stringify(['fingerprint', policy.version, record.objectType, ...parts]));
}

/**
 * Returns the company's domain, unless it is also the domain of the contact's email or website. HubSpot associates
 * contacts by the domain of their address, so such a company says nothing new.
 */
function identifyingCompany(record: Identified): string | undefined {
  const mail = mailOf(record);
  const ownDomains = [companyDomain(textOf(record, 'website') ?? ''), mail && registrableDomain(mail.domain)];
  return ownDomains.includes(record.companyDomain) ? undefined : record.companyDomain;
}
