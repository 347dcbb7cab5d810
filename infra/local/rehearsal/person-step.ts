import { OBJECTS } from './account.ts';
import { type AssumptionVerdict, asAssumed, differs, metOr } from './assumption.ts';
import { listOf } from './json-parts.ts';
import { notSeen, type PlainNotSeenCode } from './not-seen.ts';
import type { RehearsalStep, Stage } from './stage.ts';
import { awaited, reachable } from './webhook-steps.ts';

const BEFORE = 'Rehearsal';

export const PERSON_STEPS: readonly RehearsalStep[] = [
  { name: 'person', about: 'a change that a person makes', run: person },
];

async function person(stage: Stage): Promise<void> {
  const { account, records, askPerson, note } = stage;
  if (!askPerson) return noteBoth(stage, 'no-person');
  const id = await records.createOne('contacts', { email: records.address('person'), firstname: BEFORE });
  await askPerson(id);
  const body = { inputs: [{ id }], properties: ['firstname'], propertiesWithHistory: ['firstname'] };
  const answer = await account.query(`${OBJECTS}/contacts/batch/read`, body);
  const entries = listOf(listOf(answer.json, 'results')[0], 'propertiesWithHistory', 'firstname');
  const changed = entries.find(({ value }) => value !== BEFORE);
  if (changed === undefined) return noteBoth(stage, 'name-not-changed');
  note('person-source', sourceObservation(changed['sourceType']));
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

/** Quotes the source only if it is a code, because any other text could be a value. */
function sourceObservation(sourceType: unknown): AssumptionVerdict {
  if (sourceType === 'CRM_UI') return asAssumed();
  const isCode = typeof sourceType === 'string' && /^[A-Z_]{2,40}$/.test(sourceType);
  return differs(`the source type is ${isCode ? sourceType : 'no code'}`);
}

function noteBoth({ note }: Stage, why: PlainNotSeenCode): void {
  for (const name of ['person-source', 'person-change-source']) note(name, notSeen(why));
}
