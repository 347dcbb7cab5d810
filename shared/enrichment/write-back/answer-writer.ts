import {
  type CrmReading,
  isAboutPerson,
  type ObjectType,
  type PropertyDefinitions,
  recordKey,
} from '#shared/crm';
import {
  employerProperties,
  type Policy,
  propertiesOfNotices,
  propertiesOfRules,
} from '#shared/field-policy';
import { IDENTIFYING_PROPERTIES } from '#shared/identity';
import { disclosedPerson, identifiersOfAnswer } from '#shared/questions';
import { backfillRunOf, type JournalEntry } from '#shared/records';
import { creditsOf } from '../ask/answered.ts';
import { firstShownMs, needsFirst, obtainedBefore } from '../ask/known-answer.ts';
import { knownProperties, readWithCompanies } from '../read-records.ts';
import type { EnrichmentServices } from '../services.ts';
import { emptiedMeanwhile, ownByHistory } from './by-history.ts';
import { type WriteDraft, withoutRefused } from './draft.ts';
import { plannedChanges, type Writer } from './guarded-writes.ts';
import { planWrites, type WritePlan } from './plan-writes.ts';
import type { Recovered } from './recover.ts';
import { STATUS_PROPERTIES } from './statuses.ts';

interface Portal {
  readonly objectType: ObjectType;
  readonly definitions: PropertyDefinitions;
}

/** Writes an answer to a record by the policy's rules. Without an answer, writes only the status. */
export function answerWriter(services: EnrichmentServices, portal: Portal): Writer<WritePlan> {
  return {
    plan: (drafts, recovered) => planAnswers(services, { ...portal, drafts, recovered }),
    entryOf: (plan) => entryOf(services, plan),
    disclose: (plan) => discloseValues(services, plan),
    withoutRefused,
  };
}

interface Reading extends Portal {
  readonly drafts: readonly WriteDraft[];
  readonly recovered: Recovered;
}

/** Plans the writes. If it must read the records' history, it then reads the records again. */
async function planAnswers(services: EnrichmentServices, reading: Reading) {
  const { drafts, definitions, recovered } = reading;
  let readAtMs = services.clock.monotonic();
  let now = await readNow(services, reading);
  const withHistory = await ownByHistory(services, { ...reading, now });
  const checkedDrafts = await emptiedMeanwhile(services, drafts, now);
  if (withHistory || checkedDrafts !== drafts) {
    readAtMs = services.clock.monotonic();
    now = await readNow(services, reading);
  }
  const firstAtMs = await firstObtained(services, checkedDrafts, now);
  const isKnown = await knownProperties(services, reading.objectType);
  const present = { now, definitions, isKnown, recovered: withHistory ?? recovered, firstAtMs };
  return { plans: checkedDrafts.map((draft) => planWrites(services, draft, present)), readAtMs };
}

/** The properties that every plan of a write reads. The rules decide about values, statuses and notices. */
export function plannedProperties(policy: Policy, objectType: ObjectType) {
  const rules = propertiesOfRules(policy, objectType);
  const isPerson = isAboutPerson({ objectType });
  const notices = isPerson ? propertiesOfNotices(policy) : { own: [], company: [] };
  const ofPeople = isPerson ? [...employerProperties(policy), 'enrichment_notice_sent_at'] : [];
  const ids = IDENTIFYING_PROPERTIES[objectType];
  const own: readonly string[] = [...STATUS_PROPERTIES, ...ofPeople, ...ids, ...rules.own, ...notices.own];
  return { own, company: [...new Set([...rules.company, ...notices.company])] };
}

async function readNow(
  { crm, policy }: EnrichmentServices,
  { objectType, drafts, recovered }: Reading,
): Promise<CrmReading> {
  const planned = plannedProperties(policy, objectType);
  const properties = new Set<string>(planned.own);
  for (const { proposals } of drafts) for (const { property } of proposals) properties.add(property);
  // Any field may hold a value of a former person or company. Such a value must be cleared.
  if (drafts.some(({ hasNewIdentity }) => hasNewIdentity))
    for (const { property } of policy.fields[objectType]) properties.add(property);
  // A value to restore may no longer be among the proposals.
  for (const { taken } of recovered.values()) for (const name of Object.keys(taken)) properties.add(name);
  // A company's change may stop a rule from admitting its contact, so the company is read again too.
  const companyProperties = planned.company;
  const seen = companyProperties.length > 0 ? [] : drafts.map(({ held }) => held.record);
  const ids = drafts.map(({ held }) => held.id);
  const query = { objectType, ids, properties: [...properties], companyProperties };
  return readWithCompanies(crm, query, seen);
}

function entryOf({ policy, clock }: EnrichmentServices, plan: WritePlan): JournalEntry {
  const { draft, outcome } = plan;
  const { held, answered } = draft;
  const { objectType, id, run } = held;
  const backfillId = backfillRunOf(held.state, run.id)?.id;
  return {
    objectType,
    id,
    outcome,
    kind: 'enrichment',
    purpose: run.purpose,
    reason: plan.reason,
    run: held.state.runsOpened,
    eventKeys: run.eventKeys ?? [],
    ...(run.askedBy !== undefined && { askedBy: run.askedBy }),
    policyVersion: policy.version,
    ...(answered.kind === 'found' && {
      question: {
        key: answered.questionKey,
        operation: answered.operation,
        askedAtMs: answered.askedAtMs,
      },
    }),
    credits: creditsOf(answered),
    ...(backfillId !== undefined && { backfillId }),
    changes: plannedChanges(plan),
    ...(draft.dropped.length > 0 && { dropped: draft.dropped }),
    atMs: clock.now(),
    sentAtMs: clock.now(),
  };
}

/** Records in the disclosure log which contact and properties receive values of the person. */
async function discloseValues(
  { forgetting: { disclosures }, clock, digest }: EnrichmentServices,
  { draft: { held, answered }, filled, writes }: WritePlan,
): Promise<void> {
  const properties = filled.filter((name) => writes[name] !== '');
  if (!isAboutPerson(held) || answered.kind !== 'found' || properties.length === 0) return;
  const { questionKey, operation, answer, askedAtMs } = answered;
  const keys = identifiersOfAnswer({ operation, record: answer }, digest);
  const delivery = { record: recordKey(held), operation, properties, atMs: clock.now(), askedAtMs };
  await disclosures.delivered(disclosedPerson({ key: questionKey, operation }, keys), delivery);
}

/**
 * Returns for each contact id when we first obtained data about this person. Leaves out contacts whose date HubSpot
 * shows, unless a merge may have made that date too late. A refresh does not change the date.
 */
async function firstObtained(
  services: EnrichmentServices,
  drafts: readonly WriteDraft[],
  now: CrmReading,
): Promise<ReadonlyMap<string, number>> {
  const found = await Promise.all(drafts.map((draft) => firstOf(services, draft, now)));
  return new Map(found.filter((each) => each !== undefined));
}

async function firstOf(
  services: EnrichmentServices,
  { held, answered, status, elsewhere }: WriteDraft,
  now: CrmReading,
): Promise<readonly [string, number] | undefined> {
  if (!isAboutPerson(held) || answered.kind !== 'found') return undefined;
  // The answer may be about another person.
  if (status === 'review' && !elsewhere) return undefined;
  const shownMs = firstShownMs(now.records.get(held.id)?.properties);
  if (!needsFirst(held, shownMs)) return undefined;
  const { askedAtMs } = answered;
  const before = answered.obtainedBefore ?? (await obtainedBefore(services, held, answered));
  const firstMs = Math.min(askedAtMs, before.firstAtMs);
  return Number.isNaN(shownMs) || firstMs < shownMs ? [held.id, firstMs] : undefined;
}
