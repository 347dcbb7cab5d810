import { type CrmRecord, isAboutPerson } from '#shared/crm';
import {
  addressesOf,
  companyDomain,
  domainsInAnswer,
  employerDomains,
  weighEvidence,
} from '#shared/identity';
import { type Explanation, isRejectedSubject, verdictOn } from '#shared/ownership';
import { LOOKUPS, lookupsOf } from '#shared/questions';
import { because } from '#shared/records';
import type { RecordAnswer } from '../ask/answered.ts';
import { storedAnswerTo, subjectKeys } from '../ask/known-answer.ts';
import { correctedRecord } from '../ask/plan-record.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';

/**
 * Conflict of employers between the answer and the record. If we wrote the deciding address ourselves, it is no
 * conflict.
 */
export interface Elsewhere {
  /** Evidence that decided: `address` or `association`. */
  readonly by: string;
  readonly reason: Explanation;
}

interface Judging {
  /** The record without our values of a former person or company. */
  readonly record: CrmRecord;
  readonly families: Families;
}

/**
 * Decides whether the answer is about the record. If evidence speaks against it, or a person rejected its person or
 * company before, a person must decide.
 * @returns `isConfirmed`: a person said that it is, in spite of contrary evidence.
 */
export function judgeAnswer(
  { digest }: Pick<EnrichmentServices, 'digest'>,
  { held, answer, operation, askedDomain, accepted, questionKey, askedAtMs }: Found,
  { record, families }: Judging,
): { readonly doubt?: Explanation; readonly isConfirmed: boolean } {
  const { verdicts } = held.state;
  const isAccepted = accepted === 'contradiction' || accepted === 'job-change';
  const inSpiteOf = isAccepted ? accepted : verdictOn(verdicts, { questionKey, askedAtMs })?.inSpiteOf;
  const isConfirmed = inSpiteOf !== undefined;
  const verdict = weighEvidence('identity', { record, answer, askedDomain, families });
  const doubt =
    verdict.kind === 'contradiction' ? verdict.reason : phoneDoubt({ record, answer, operation, families });
  if (doubt !== undefined && inSpiteOf !== 'contradiction') return { doubt: because(doubt), isConfirmed };
  const about = subjectKeys(digest, { operation, record: answer });
  if (!isConfirmed && isRejectedSubject(verdicts, about))
    return { doubt: because('rejected-before'), isConfirmed };
  return { isConfirmed };
}

/** Whether the last answer named the employer, and was not rejected. */
export function isEmployerOfLastAnswer({ state }: ClaimedRecord, employer: string | undefined): boolean {
  const { answeredQuestion: questionKey, answeredAtMs: askedAtMs } = state;
  if (employer === undefined || employer !== state.employer) return false;
  if (questionKey === undefined || askedAtMs === undefined) return false;
  return verdictOn(state.verdicts, { questionKey, askedAtMs })?.rejected === undefined;
}

/**
 * Returns why an answer that was found by a phone number needs a person. Several people use one number, so something
 * else has to agree, and no employer may contradict.
 */
function phoneDoubt({
  operation,
  ...given
}: Pick<Found, 'answer' | 'operation'> & {
  readonly record: CrmRecord;
  readonly families: Families;
}) {
  if (!LOOKUPS[operation].needs.flat().includes('phone')) return undefined;
  const verdicts = (['identity', 'employer', 'stated'] as const).map((subject) =>
    weighEvidence(subject, given),
  );
  const contradiction = verdicts.find((verdict) => verdict.kind === 'contradiction');
  if (contradiction) return contradiction.reason;
  const agrees = verdicts.some(({ found }) => found.some(({ agreement }) => agreement === 'agree'));
  return agrees ? undefined : 'phone-alone';
}

export function elsewhereOf({ answer }: Found, record: CrmRecord, families: Families): Elsewhere | undefined {
  const verdict = weighEvidence('employer', { record, answer, families });
  return verdict.kind === 'contradiction' ? { by: verdict.by, reason: because(verdict.reason) } : undefined;
}

type Found = Extract<RecordAnswer, { kind: 'found' }>;

/**
 * Finds out whether a person has edited the record so that it describes another person or company. Then only our former
 * values contradict the new answer.
 * @returns the record without our former values; `undefined` if the identity is the same.
 */
export function correctedIdentity(
  services: Pick<EnrichmentServices, 'digest' | 'policy'>,
  { held, answer, askedDomain, questionKey }: Found,
): CrmRecord | undefined {
  const corrected = held.state.answeredQuestion === questionKey ? undefined : correctedRecord(services, held);
  if (!corrected) return undefined;
  const { given, identity, isLedToFormer } = corrected;
  const isContradicted = (record: CrmRecord) =>
    [record, byNameAlone(record)].some(
      (compared) =>
        weighEvidence('identity', { record: compared, answer, askedDomain }).kind === 'contradiction',
    );
  if (isContradicted(given)) return undefined;
  if (identity === 'another') return given;
  return !isLedToFormer && isContradicted(held.record) ? given : undefined;
}

/** Keeps only the name of a company. A company may still have its former name after a person corrected its domain. */
function byNameAlone(record: CrmRecord): CrmRecord {
  const { name = null } = record.properties;
  return isAboutPerson(record) ? record : { ...record, properties: { name } };
}

type Services = Pick<EnrichmentServices, 'forgetting' | 'digest' | 'clock'> & {
  readonly crm: Pick<EnrichmentServices['crm'], 'companies'>;
};

/** Groups of domains of related companies. */
export type Families = readonly (readonly string[])[];

/**
 * Looks up related employers. Uses HubSpot's parent companies and additional domains, in one search, and the domains in
 * stored answers about companies. Costs no credits.
 */
export async function familiesOf(services: Services, answers: readonly Found[]): Promise<Families> {
  const domains = [...new Set(answers.flatMap(namedDomains))];
  const companies = await services.crm.companies.withDomains(domains);
  const groups = Map.groupBy(companies, ({ id, parentId }) => parentId ?? id);
  const known = await Promise.all(domains.map((domain) => domainsOfVendor(services, domain)));
  return [
    ...[...groups.values()].map((group) =>
      group.flatMap(({ domain, additional }) => [domain, ...additional]),
    ),
    ...known,
  ];
}

/** Returns the domains of the employers that the record and the answer name. */
function namedDomains({ held: { record }, answer, askedDomain }: Found): string[] {
  const { email } = answer;
  const bought = typeof email === 'string' ? addressesOf({ properties: { email } }) : [];
  const addresses = [...addressesOf(record), ...bought].flatMap(({ domain, free }) => (free ? [] : [domain]));
  const domains = [
    ...(record.companyDomains ?? []),
    ...addresses,
    ...employerDomains(answer),
    askedDomain ?? '',
  ];
  return domains.flatMap((domain) => companyDomain(domain) ?? []);
}

async function domainsOfVendor(services: Services, domain: string): Promise<string[]> {
  for (const operation of lookupsOf('company')) {
    const stored = await storedAnswerTo(services, { operation, by: { domain }, options: [] });
    if (stored) return [domain, ...domainsInAnswer(stored.record)];
  }
  return [];
}
