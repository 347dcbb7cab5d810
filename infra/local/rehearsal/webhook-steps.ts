import { counted, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { codeOf, listOf, OBJECTS, partOf } from './account.ts';
import {
  type AssumptionVerdict,
  asAssumed,
  differs,
  metOr,
  notSeen,
  notSeenWith,
  type PlainNotSeenCode,
} from './assumption.ts';
import {
  type DeliveredEvent,
  type Deliveries,
  type RehearsalStep,
  type Stage,
  WEBHOOK_WAIT_MS,
} from './stage.ts';

const SETTINGS = 'infra/sandbox/hubspot/settings.ts';
/** Wait for duplicates. Ten seconds longer than the latest duplicate that others have reported. */
const QUIET_MS = 20 * SECOND_MS;
const DELAY_MOST_MS = 30 * SECOND_MS;
/** A property that the app subscribes to, so that each change causes an event. */
const WATCHED = 'firstname';
const CHANGES = 6;

export const WEBHOOK_STEPS: readonly RehearsalStep[] = [
  {
    name: 'webhooks',
    about: 'webhooks of a creation and of changes',
    run: withDeliveries(webhooks),
    assumptions: {
      'webhook-delay': {
        what: 'The webhook of a new record comes within 30 seconds.',
        source: 'our reading',
        reliedOnBy: 'shared/records/sweep-created.ts',
        toChange: `${SETTINGS}: webhookDelayMs`,
      },
      'webhook-signature': {
        what: 'Webhooks of a project app carry a signature of version 3 over the configured URL.',
        source: 'documented',
        reliedOnBy: 'shared/hubspot/webhooks.ts',
        toChange: `${SETTINGS}: signatureVersion`,
      },
      'webhook-form': {
        what: 'Events are in the generic form: object.creation with an objectTypeId.',
        source: 'documented',
        reliedOnBy: 'shared/hubspot/webhooks.ts',
        toChange: `${SETTINGS}: eventStyle`,
      },
      'webhook-order': {
        what: 'Events of one property come in the order of the changes. The receiver does not rely on it.',
        source: 'our reading',
        reliedOnBy: 'infra/sandbox/hubspot/webhooks.ts',
        toChange: `${SETTINGS}: outOfOrder`,
      },
      'webhook-once': {
        what: 'An event comes once. The receiver does not rely on it.',
        source: 'documented: may repeat',
        reliedOnBy: 'infra/sandbox/hubspot/webhooks.ts',
        toChange: `${SETTINGS}: duplicateRate`,
      },
      'no-events-of-first-values': {
        what: "A new record's first values are not announced as changes.",
        source: 'our reading',
        reliedOnBy: 'functions/receive-webhook/handler.ts',
        toChange: `${SETTINGS}: propertyChangeOnCreation`,
      },
      'webhook-source': {
        what: "Our own writes are announced with changeSource INTEGRATION and the app's id.",
        source: 'seen by others',
        reliedOnBy: 'functions/receive-webhook/handler.ts',
        toChange: `${SETTINGS}: changeSource`,
      },
    },
  },
  {
    name: 'webhooks-of-merges',
    about: 'the webhook of a merge',
    run: withDeliveries(mergeEvent),
    assumptions: {
      'webhook-of-merge': {
        what: 'A merge is announced with the id of the merged record in newObjectId.',
        source: 'documented',
        reliedOnBy: 'shared/hubspot/webhooks.ts',
        toChange: `${SETTINGS}: lostEvents`,
      },
    },
  },
  {
    name: 'webhooks-of-deletions',
    about: 'the webhook of a privacy deletion',
    run: withDeliveries(deletionEvent),
    assumptions: {
      'webhook-of-privacy-deletion': {
        what: 'A privacy deletion is announced as contact.privacyDeletion.',
        source: 'documented',
        reliedOnBy: 'shared/hubspot/webhooks.ts',
        toChange: `${SETTINGS}: lostEvents`,
      },
    },
  },
  {
    name: 'person',
    about: 'a change that a person makes',
    run: person,
    assumptions: {
      'person-source': {
        what: 'The history shows a change by a person as CRM_UI.',
        source: 'seen by others',
        reliedOnBy: 'shared/enrichment/write-back/by-history.ts',
        toChange: `${SETTINGS}: personSource`,
      },
      'person-change-source': {
        what: 'A change by a person is announced with changeSource CRM_UI.',
        source: 'seen by others',
        reliedOnBy: 'functions/receive-webhook/handler.ts',
        toChange: `${SETTINGS}: personChangeSource`,
      },
    },
  },
];

const WAIT = counted(WEBHOOK_WAIT_MS / MINUTE_MS, 'minute');

/** The deliveries, or the reason why waiting for a webhook is of no use. */
function reachable({ deliveries }: Pick<Stage, 'deliveries'>): Deliveries | PlainNotSeenCode {
  if (!deliveries) return 'no-webhook-address';
  return deliveries.areAbsent() ? 'no-webhook-before' : deliveries;
}

/** Says what is awaited, and waits. @returns whether it came in time */
function awaited(
  { say, signal }: Pick<Stage, 'say' | 'signal'>,
  { deliveries, what, hasCome }: { deliveries: Deliveries; what: string; hasCome: () => boolean },
): Promise<boolean> {
  if (!hasCome()) say(`Waiting for ${what}, ${WAIT} at most.`);
  return deliveries.waitFor(hasCome, signal);
}

/** Runs a step that waits for webhooks, unless none can come. */
function withDeliveries(run: (stage: Stage, deliveries: Deliveries) => Promise<void>) {
  return async (stage: Stage): Promise<void> => {
    const deliveries = reachable(stage);
    if (typeof deliveries === 'string') return stage.noteOthers(notSeen(deliveries));
    return run(stage, deliveries);
  };
}

async function webhooks(stage: Stage, deliveries: Deliveries): Promise<void> {
  const { records, clock, signal, note } = stage;
  const id = await records.createOne('contacts', { email: records.address('hook') });
  const createdMs = clock.now();
  const ofRecord = () => eventsOf(deliveries, id);
  const hasCreation = () => ofRecord().length > 0;
  const isCreated = await awaited(stage, {
    deliveries,
    what: 'the webhook of a new record',
    hasCome: hasCreation,
  });
  if (!isCreated) return stage.noteOthers(notSeen('no-webhook-of-creation'));
  const [creation] = ofRecord();
  if (creation) noteCreation(stage, creation, createdMs);
  const names = Array.from({ length: CHANGES }, (_, index) => `Rehearsal ${index}`);
  for (const name of names) await records.update('contacts', [{ id, properties: { [WATCHED]: name } }]);
  const changes = () => distinct(ofRecord().filter(({ event }) => event['propertyName'] === WATCHED));
  const hasAll = () => changes().length >= CHANGES;
  const what = `the webhooks of ${CHANGES} changes`;
  const areSeen = await awaited(stage, { deliveries, what, hasCome: hasAll });
  await clock.sleep(QUIET_MS, signal);
  const seen = changes().map(({ event }) => event['propertyValue']);
  const isInOrder = areSeen && names.every((name, index) => seen[index] === name);
  note(
    'webhook-order',
    areSeen
      ? metOr(isInOrder, 'events of changes come in another order than the changes')
      : notSeenWith('changes-missing', { announced: seen.length, changes: CHANGES }),
  );
  const all = ofRecord();
  note('webhook-signature', signatureObservation(all));
  note('webhook-once', metOr(distinct(all).length === all.length, 'an event came more than once'));
  const first = all.some(({ event }) => event['propertyName'] === 'email');
  note('no-events-of-first-values', metOr(!first, "a new record's first values are announced as changes"));
  await noteSource(stage, changes());
}

function noteCreation({ note }: Stage, { event, receivedAtMs }: DeliveredEvent, createdMs: number) {
  const seconds = Math.max(0, Math.round((receivedAtMs - createdMs) / SECOND_MS));
  const isSoon = receivedAtMs - createdMs <= DELAY_MOST_MS;
  note('webhook-delay', isSoon ? asAssumed(`${seconds} s`) : differs(`${seconds} s, expected 30 s at most`));
  const isGeneric = event['subscriptionType'] === 'object.creation' && event['objectTypeId'] === '0-1';
  note('webhook-form', metOr(isGeneric, 'the event is not object.creation with an objectTypeId'));
}

/** If every signature has the right form and none fits, a wrong setting is more likely than another way to sign. */
function signatureObservation(events: readonly DeliveredEvent[]): AssumptionVerdict {
  const count = (kind: DeliveredEvent['signature']) =>
    events.filter(({ signature }) => signature === kind).length;
  if (count('fits') === events.length) return asAssumed();
  if (count('wrong') === events.length) return notSeen('no-signature-fits');
  return differs(
    `${count('fits')} of ${events.length} signatures fit, ${count('other-form')} have another form than version 3`,
  );
}

async function noteSource({ account, note }: Stage, changes: readonly DeliveredEvent[]): Promise<void> {
  const appId = String(partOf((await account.tokenInfo()).json, 'appId') ?? '');
  const [change] = changes;
  const { changeSource, sourceId } = change?.event ?? {};
  const isOurs = changeSource === 'INTEGRATION' && (appId === '' || String(sourceId) === appId);
  note(
    'webhook-source',
    change === undefined
      ? notSeen('no-webhook-of-change')
      : metOr(isOurs, "our own write is not announced as INTEGRATION with the app's id"),
  );
}

async function mergeEvent(stage: Stage, deliveries: Deliveries): Promise<void> {
  const { records, note } = stage;
  const primary = await records.createOne('contacts', { email: records.address('merge-a') });
  const other = await records.createOne('contacts', { email: records.address('merge-b') });
  const merged = await records.merge('contacts', { primary, other });
  const isMerge = ({ event }: DeliveredEvent) =>
    String(event['subscriptionType']).endsWith('.merge') && String(event['newObjectId']) === merged;
  const hasCome = () => deliveries.events.some(isMerge);
  const came = await awaited(stage, { deliveries, what: 'the webhook of a merge', hasCome });
  note('webhook-of-merge', cameOr(deliveries, came, 'no merge event names the new id'));
}

async function deletionEvent(stage: Stage, deliveries: Deliveries): Promise<void> {
  const { records, note } = stage;
  const id = await records.createOne('contacts', { email: records.address('erase-hook') });
  await records.eraseForPrivacy(id);
  const isDeletion = ({ event }: DeliveredEvent) => event['subscriptionType'] === 'contact.privacyDeletion';
  const hasCome = () => eventsOf(deliveries, id).some(isDeletion);
  const came = await awaited(stage, { deliveries, what: 'the webhook of a privacy deletion', hasCome });
  note('webhook-of-privacy-deletion', cameOr(deliveries, came, 'no event of a privacy deletion came'));
}

function cameOr({ events }: Deliveries, came: boolean, words: string): AssumptionVerdict {
  if (events.length === 0) return notSeen('no-webhook-at-all');
  return came ? asAssumed() : differs(`${words} within ${WAIT}`);
}

function eventsOf({ events }: Deliveries, id: string): readonly DeliveredEvent[] {
  return events.filter(({ event }) => String(event['objectId']) === id);
}

function distinct(events: readonly DeliveredEvent[]): readonly DeliveredEvent[] {
  const known = new Set<unknown>();
  return events.filter(({ event }) => {
    const key = `${event['eventId']} ${event['subscriptionType']} ${event['propertyName']}`;
    return !known.has(key) && known.add(key) !== undefined;
  });
}

const BEFORE = 'Rehearsal';

async function person(stage: Stage): Promise<void> {
  const { account, records, askPerson, note } = stage;
  if (!askPerson) return stage.noteOthers(notSeen('no-person'));
  const id = await records.createOne('contacts', { email: records.address('person'), firstname: BEFORE });
  await askPerson(id);
  const body = { inputs: [{ id }], properties: ['firstname'], propertiesWithHistory: ['firstname'] };
  const answer = await account.query(`${OBJECTS}/contacts/batch/read`, body);
  const entries = listOf(listOf(answer.json, 'results')[0], 'propertiesWithHistory', 'firstname');
  const changed = entries.find(({ value }) => value !== BEFORE);
  if (changed === undefined) return stage.noteOthers(notSeen('name-not-changed'));
  const { sourceType } = changed;
  note('person-source', metOr(sourceType === 'CRM_UI', `the source type is ${codeOf(sourceType)}`));
  await noteWebhook(stage, id);
}

async function noteWebhook(stage: Stage, id: string): Promise<void> {
  const { note } = stage;
  const deliveries = reachable(stage);
  if (typeof deliveries === 'string') return note('person-change-source', notSeen(deliveries));
  const found = () =>
    deliveries.events.find(
      ({ event }) =>
        String(event['objectId']) === id &&
        event['propertyName'] === 'firstname' &&
        event['propertyValue'] !== BEFORE,
    );
  const hasCome = () => found() !== undefined;
  const came = await awaited(stage, { deliveries, what: 'the webhook of the change', hasCome });
  const isPerson = found()?.event['changeSource'] === 'CRM_UI';
  note(
    'person-change-source',
    came ? metOr(isPerson, 'the change is not announced as CRM_UI') : notSeen('no-webhook-of-change'),
  );
}
