import type { ObjectType } from '#shared/crm';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { because, livingState } from '#shared/records';
import { holdRecord } from '../hold-record.ts';
import type { EnrichmentServices } from '../services.ts';
import { type Acceptance, type FindingName, gone, type HeldFinding } from './acceptance.ts';
import { writeAccepted } from './write-accepted.ts';

/**
 * Time for which a record is held. One call accepts its findings with few batch requests to HubSpot. Another worker
 * waits no longer than this time for the record.
 */
const CLAIM_MS = 4 * MINUTE_MS;
/** Part of this time that is reserved for storing the outcomes, after HubSpot's last answer. */
const SETTLE_MS = 20 * SECOND_MS;

/**
 * Carries out accepted findings. Compares the stored answer with the present record and writes the answer's values,
 * even in shadow mode. Uses the worker's guarded and journalled write. Sends no question to the data service. The
 * acceptance is stored first, so that after an interruption the finding stays accepted until it is carried out.
 * @param names findings of one object type, at most as many as HubSpot accepts in one batch.
 */
export async function acceptFindings(
  services: EnrichmentServices,
  objectType: ObjectType,
  names: readonly FindingName[],
): Promise<Acceptance[]> {
  const untilMs = services.clock.now() + CLAIM_MS - SETTLE_MS;
  const done: Acceptance[] = [];
  const heldFindings: HeldFinding[] = [];
  for (const name of names) {
    const taken = await beginAcceptance(services, name);
    if ('result' in taken) done.push(taken);
    else heldFindings.push(taken);
  }
  if (heldFindings.length === 0) return done;
  const servicesUntil = { ...services, crm: services.crm.until(untilMs) };
  return [...done, ...(await writeAccepted(servicesUntil, { objectType, heldFindings, untilMs }))];
}

async function beginAcceptance(
  services: EnrichmentServices,
  name: FindingName,
): Promise<Acceptance | HeldFinding> {
  const { reviews } = services;
  const decided = await reviews.decide(name.record, name.kind, 'accepted', name.decidedBy);
  if (decided.kind === 'refused') return { ...name, result: 'refused', state: decided.state };
  const { finding } = decided;
  const { answer, purpose } = finding;
  if (!answer) {
    await reviews.decide(name.record, name.kind, 'done');
    const reason = because('nothing-to-write');
    return { ...name, result: 'done', reason, written: [], kept: [] };
  }
  const living = await livingState(services, name.record);
  if (living.id !== name.record.id)
    return gone(services, name, because('merged-into', { record: `${living.objectType}/${living.id}` }));
  const held = await holdRecord(services, name.record, { claimMs: CLAIM_MS, purpose });
  if (held === 'forgotten') return { ...name, result: 'gone', reason: because('forgotten') };
  if (held === 'busy') return { ...name, result: 'later', reason: because('record-busy') };
  return { name, finding, answer, held };
}
