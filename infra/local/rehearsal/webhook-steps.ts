import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { type AssumptionVerdict, asAssumed, differs, metOr, notSeen } from './assumption.ts';
import type { DeliveredEvent, Deliveries } from './deliveries.ts';
import { partOf } from './json-parts.ts';
import type { RehearsalStep, Stage } from './stage.ts';

/** Wait for duplicates. Ten seconds longer than the latest duplicate that others have reported. */
const QUIET_MS = 20 * SECOND_MS;
const DELAY_MOST_MS = 30 * SECOND_MS;
const WAIT_MS = 3 * MINUTE_MS;
/** A property that the app subscribes to, so that each change causes an event. */
const WATCHED = 'firstname';
const CHANGES = 6;

export const WEBHOOK_STEPS: readonly RehearsalStep[] = [
  { name: 'webhooks', about: 'webhooks of a creation and of changes', run: webhooks },
  { name: 'webhooks-of-merges', about: 'the webhook of a merge', run: mergeEvent },
  { name: 'webhooks-of-deletions', about: 'the webhook of a privacy deletion', run: deletionEvent },
];

const NO_WEBHOOKS = 'no webhook can come: set WEBHOOK_PUBLIC_URL, PORT and HUBSPOT_CLIENT_SECRET';

async function webhooks(stage: Stage): Promise<void> {
  const { records, deliveries, clock, signal, note } = stage;
  if (!deliveries) return noteAll(stage, WEBHOOK_ASSUMPTIONS, NO_WEBHOOKS);
  const id = await records.createOne('contacts', { email: records.address('hook') });
  const createdMs = clock.now();
  const ofRecord = () => eventsOf(deliveries, id);
  const isCreated = await deliveries.until(() => ofRecord().length > 0, WAIT_MS, signal);
  if (!isCreated) return noteAll(stage, WEBHOOK_ASSUMPTIONS, 'no webhook of a new record came');
  const [creation] = ofRecord();
  if (creation) noteCreation(stage, creation, createdMs);
  const names = Array.from({ length: CHANGES }, (_, index) => `Rehearsal ${index}`);
  for (const name of names) await records.update('contacts', [{ id, properties: { [WATCHED]: name } }]);
  const changes = () => distinct(ofRecord().filter(({ event }) => event['propertyName'] === WATCHED));
  const areSeen = await deliveries.until(() => changes().length >= CHANGES, WAIT_MS, signal);
  await deliveries.until(() => false, QUIET_MS, signal);
  const seen = changes().map(({ event }) => event['propertyValue']);
  const isInOrder = areSeen && names.every((name, index) => seen[index] === name);
  note(
    'webhook-order',
    areSeen
      ? metOr(isInOrder, 'events of changes come in another order than the changes')
      : notSeen(`${seen.length} of ${CHANGES} changes were announced`),
  );
  const all = ofRecord();
  note('webhook-once', metOr(distinct(all).length === all.length, 'an event came more than once'));
  const first = all.some(({ event }) => event['propertyName'] === 'email');
  note('no-events-of-first-values', metOr(!first, "a new record's first values are announced as changes"));
  await noteSource(stage, changes());
}

function noteCreation({ note }: Stage, { event, receivedAtMs, isSigned }: DeliveredEvent, createdMs: number) {
  const seconds = Math.max(0, Math.round((receivedAtMs - createdMs) / SECOND_MS));
  const isSoon = receivedAtMs - createdMs <= DELAY_MOST_MS;
  note('webhook-delay', isSoon ? asAssumed(`${seconds} s`) : differs(`${seconds} s, expected 30 s at most`));
  note('webhook-signature', metOr(isSigned, 'the signature of version 3 does not fit'));
  const isGeneric = event['subscriptionType'] === 'object.creation' && event['objectTypeId'] === '0-1';
  note('webhook-form', metOr(isGeneric, 'the event is not object.creation with an objectTypeId'));
}

async function noteSource({ account, note }: Stage, changes: readonly DeliveredEvent[]): Promise<void> {
  const appId = String(partOf((await account.tokenInfo()).json, 'appId') ?? '');
  const [change] = changes;
  const { changeSource, sourceId } = change?.event ?? {};
  const isOurs = changeSource === 'INTEGRATION' && (appId === '' || String(sourceId) === appId);
  note(
    'webhook-source',
    change === undefined
      ? notSeen('no change was announced')
      : metOr(isOurs, "our own write is not announced as INTEGRATION with the app's id"),
  );
}

async function mergeEvent({ records, deliveries, signal, note }: Stage): Promise<void> {
  if (!deliveries) return note('webhook-of-merge', notSeen(NO_WEBHOOKS));
  const primary = await records.createOne('contacts', { email: records.address('merge-a') });
  const other = await records.createOne('contacts', { email: records.address('merge-b') });
  const merged = await records.merge('contacts', { primary, other });
  const isMerge = ({ event }: DeliveredEvent) =>
    String(event['subscriptionType']).endsWith('.merge') && String(event['newObjectId']) === merged;
  const came = await deliveries.until(() => deliveries.events.some(isMerge), WAIT_MS, signal);
  note('webhook-of-merge', cameOr(deliveries, came, 'no merge event names the new id'));
}

async function deletionEvent({ records, deliveries, signal, note }: Stage): Promise<void> {
  if (!deliveries) return note('webhook-of-privacy-deletion', notSeen(NO_WEBHOOKS));
  const id = await records.createOne('contacts', { email: records.address('erase-hook') });
  await records.eraseForPrivacy(id);
  const isDeletion = ({ event }: DeliveredEvent) => event['subscriptionType'] === 'contact.privacyDeletion';
  const came = await deliveries.until(() => eventsOf(deliveries, id).some(isDeletion), WAIT_MS, signal);
  note('webhook-of-privacy-deletion', cameOr(deliveries, came, 'no event of a privacy deletion came'));
}

function cameOr({ events }: Deliveries, came: boolean, words: string): AssumptionVerdict {
  if (events.length === 0) return notSeen('no webhook at all reached the rehearsal');
  return came ? asAssumed() : differs(`${words} within ${WAIT_MS / MINUTE_MS} minutes`);
}

function eventsOf({ events }: Deliveries, id: string): readonly DeliveredEvent[] {
  return events.filter(({ event }) => String(event['objectId']) === id);
}

/** Removes repeated deliveries of the same event. */
function distinct(events: readonly DeliveredEvent[]): readonly DeliveredEvent[] {
  const known = new Set<unknown>();
  return events.filter(({ event }) => {
    const key = `${event['eventId']} ${event['subscriptionType']} ${event['propertyName']}`;
    return !known.has(key) && known.add(key) !== undefined;
  });
}

function noteAll({ note }: Stage, names: readonly string[], why: string): void {
  for (const name of names) note(name, notSeen(why));
}

const WEBHOOK_ASSUMPTIONS = [
  'webhook-delay',
  'webhook-signature',
  'webhook-form',
  'webhook-order',
  'webhook-once',
  'no-events-of-first-values',
  'webhook-source',
];
