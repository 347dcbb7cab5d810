import type { CrmRecord, PropertyDefinitions } from '#shared/crm';
import { type Admission, createMark, type Policy } from '#shared/field-policy';
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
import type { RecordState, Run } from '#shared/records';
import type { EnrichmentServices } from './services.ts';

type Services = Pick<EnrichmentServices, 'policy' | 'digest' | 'clock'>;

interface Known {
  readonly state: RecordState;
  readonly record: CrmRecord;
}

interface Admitted extends Known {
  readonly admission: Admission;
}

/** Which question is answered already: by this run, or by an earlier one about the very same record, not long ago. */
export function paidFor(services: Services, { run, ...known }: Admitted & { readonly run: Run }) {
  const { answeredQuestion } = known.state;
  const key = run.answeredQuestion ?? (isFresh(services, known) ? answeredQuestion : undefined);
  return (question: Question) => key !== undefined && questionKey(question, services.digest) === key;
}

/** Neither stale, nor changed by anybody since it was last enriched, nor under another rule of the policy. */
export function isFresh(
  { policy, digest, clock }: Services,
  { state, record, admission }: Admitted,
): boolean {
  if ((state.staleAtMs ?? 0) <= clock.now()) return false;
  if (state.rule !== admission.rule) return false;
  return state.fingerprint === fingerprintOf(record, { policy, digest });
}

/** Whether a person took back everything of the answer: it is not bought or written again before a person requests it. */
export function wasUndone({ outcome, ownership, verdicts, answeredQuestion }: RecordState): boolean {
  if (outcome?.kind === 'skipped')
    return answeredQuestion !== undefined && Object.values(ownership).some(({ broughtBack }) => broughtBack);
  const isWrong = verdicts.some((each) => each.rejected?.byPerson && each.questionKey === answeredQuestion);
  return outcome?.kind === 'unmatched' && isWrong;
}

/** A person's own request, by whatever way it came: it brings back what was left alone. */
export function isAskedFor(held: Asked): boolean {
  return whoAsks(held) === 'person';
}

export function whoAsks({ run: { purpose, asked } }: Asked): AskedBy {
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

/** What of a record is to stay blank, what holds our own value still, and what the portal lets us write. */
export function ownershipOf({ digest }: Pick<Services, 'digest'>, known: OwnedRecord) {
  const { state, record, definitions } = known;
  const mark = createMark({ definitions, hash: digest.keyed });
  // Then HubSpot's history will tell, once there is something to write.
  const hasLostMemory =
    state.answeredAtMs !== undefined && !Object.values(state.ownership).some(({ written }) => written);
  return {
    /** A person emptied it, by an undo or by hand: it stays blank until a person requests the record. */
    isClosed: (property: string) =>
      known.emptied?.includes(property) === true ||
      (!isAskedFor(known) && wasEmptied(entryOf(state.ownership, property), { mark: mark(property, '') })),
    isOurs: (property: string) =>
      hasLostMemory ||
      holdsOurValue(state.ownership, property, mark(property, record.properties[property] ?? '')),
    /** A person said so of its answer: we do not ask it again by ourselves. */
    isRejected: (question: Question) =>
      state.verdicts.some(
        (each) => each.rejected?.byPerson && each.questionKey === questionKey(question, digest),
      ),
    isWritable: (property: string) => {
      const definition = definitions.get(property);
      return definition !== undefined && !definition.readOnly && !definition.calculated;
    },
  };
}

type Identified = Pick<CrmRecord, 'objectType' | 'properties' | 'companyDomain'>;

/**
 * Tells whether a record still is what it was when it was last enriched, our own writes included: the echo of
 * a write changes nothing, a person's new email does, and so does another company. A keyed hash: no value is kept.
 */
export function fingerprintOf(
  record: Identified,
  { policy, digest }: { policy: Policy; digest: Digest },
): string {
  const values = WATCHED_PROPERTIES[record.objectType].map((property) => normalIdentity(record, property));
  const company = tellingCompany(record);
  const parts = [...values, ...(company === undefined ? [] : [company])];
  return digest.keyed(JSON.stringify(['fingerprint', policy.version, record.objectType, ...parts]));
}

/** HubSpot associates contacts by itself, by the domain of their address: a company that the contact names too is no news. */
function tellingCompany(record: Identified): string | undefined {
  const mail = mailOf(record);
  const own = [companyDomain(textOf(record, 'website') ?? ''), mail && registrableDomain(mail.domain)];
  return own.includes(record.companyDomain) ? undefined : record.companyDomain;
}
