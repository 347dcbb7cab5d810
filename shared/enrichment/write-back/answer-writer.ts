import { type CrmReading, isAboutPerson, type ObjectType, type PropertyDefinitions } from '#shared/crm';
import { employerProperties, propertiesOfNotices, propertiesOfRules } from '#shared/field-policy';
import { IDENTIFYING_PROPERTIES } from '#shared/identity';
import { backfillRunOf, type JournalEntry } from '#shared/records';
import { creditsOf } from '../ask/answered.ts';
import { knownProperties, readWithCompanies } from '../read-records.ts';
import type { EnrichmentServices } from '../services.ts';
import { emptiedMeanwhile, ownByHistory } from './by-history.ts';
import { discloseValues, firstObtained } from './disclose-values.ts';
import { STATUS_PROPERTIES, type WriteDraft, withoutRefused } from './draft.ts';
import { plannedChanges } from './journal-writes.ts';
import { planWrites, type WritePlan } from './plan-writes.ts';
import type { Writer } from './planned-write.ts';
import type { Recovered } from './recover.ts';

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

async function readNow(
  { crm, policy }: EnrichmentServices,
  { objectType, drafts, recovered }: Reading,
): Promise<CrmReading> {
  const rules = propertiesOfRules(policy, objectType);
  const notices = isAboutPerson({ objectType }) ? propertiesOfNotices(policy) : { own: [], company: [] };
  const properties = new Set<string>([
    ...STATUS_PROPERTIES,
    ...(isAboutPerson({ objectType }) ? [...employerProperties(policy), 'enrichment_notice_sent_at'] : []),
    ...IDENTIFYING_PROPERTIES[objectType],
    ...rules.own,
    ...notices.own,
  ]);
  for (const { proposals } of drafts) for (const { property } of proposals) properties.add(property);
  // Any field may hold a value of a former person or company. Such a value must be cleared.
  if (drafts.some(({ hasNewIdentity }) => hasNewIdentity))
    for (const { property } of policy.fields[objectType]) properties.add(property);
  // A value to restore may no longer be among the proposals.
  for (const { taken } of recovered.values()) for (const name of Object.keys(taken)) properties.add(name);
  // A company's change may stop a rule from admitting its contact, so the company is read again too.
  const companyProperties = [...new Set([...rules.company, ...notices.company])];
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
    ...{ objectType, id, outcome, kind: 'enrichment', purpose: run.purpose, reason: plan.reason },
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
