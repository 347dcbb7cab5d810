import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { AWS_TIMEOUTS } from '#shared/http';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { StepStopped } from '../account.ts';
import { asAssumed, differs, metOr, notSeen } from '../assumption.ts';
import { partOf } from '../json-parts.ts';
import type { AwsStage } from './aws-stage.ts';
import { withDyingProcesses } from './live-version.ts';
import { becomesTrue, peopleAtStandIns } from './stand-in-services.ts';

const NO_SERVICES =
  'the functions reach no stand-in of HubSpot and the data service: give --hubspot and --data-service';
const ENRICHED_MS = 2 * MINUTE_MS;
/** Longest wait for a dead worker's message, which is delivered again after more than five minutes. */
const RECOVERED_MS = 15 * MINUTE_MS;
/**
 * Outcomes that the step's record can have. If its question was sent without an answer, it is not bought a second time.
 * The record then fails, and its charge is in doubt.
 */
const ENDED = new Set(['enriched', 'failed']);
const TAKEN_MS = 3 * MINUTE_MS;
const KILL_AFTER_S = 6;

export async function mainJob({ stack, services, output, clock, signal, note }: AwsStage): Promise<void> {
  const address = await output('WebhookUrl');
  if (!services) return note('main-job', notSeen(NO_SERVICES));
  const people = peopleAtStandIns(services);
  await stack.cli(['setup'], signal);
  await people.deliverTo(address);
  try {
    const id = await people.createContact(0);
    const look = async () => (await people.statusOf(id)) === 'enriched';
    const tookMs = await becomesTrue(look, { clock, withinMs: ENRICHED_MS, signal });
    const isVerified = partOf(await stack.cli(['ledger', 'verify'], signal), 'ok') === true;
    note(
      'main-job',
      tookMs === undefined ? differs('the contact is not enriched') : asAssumed(seconds(tookMs)),
    );
    note('books', metOr(isVerified, 'the check of the ledger finds a fault'));
  } finally {
    await people.deliverTo(null);
  }
}

export async function killedWorker(stage: AwsStage): Promise<void> {
  const { services, output, clock, signal, note } = stage;
  const worker = await output('EnrichRecordsFunction');
  if (!services) return note('killed-worker', notSeen(NO_SERVICES));
  const people = peopleAtStandIns(services);
  await stage.stack.cli(['setup'], signal);
  await people.deliverTo(await output('WebhookUrl'));
  const isTaken = takenFrom(await output('LiveQueueUrl'));
  try {
    // Answers take longer than a worker lives, so each worker dies with a question in flight.
    await people.slowDataService(10 * KILL_AFTER_S * SECOND_MS);
    const id = await withDyingProcesses(worker, { afterMs: KILL_AFTER_S * SECOND_MS, clock }, async () => {
      const made = await people.createContact(1);
      const takenMs = await becomesTrue(isTaken, { clock, withinMs: TAKEN_MS, signal });
      if (takenMs === undefined) throw new StepStopped('no worker took the message');
      await clock.sleep(2 * KILL_AFTER_S * SECOND_MS, signal);
      return made;
    });
    const isEnded = async () => ENDED.has((await people.statusOf(id)) ?? '');
    const wasDone = await isEnded();
    await people.slowDataService(0);
    const tookMs = wasDone
      ? undefined
      : await becomesTrue(isEnded, { clock, withinMs: RECOVERED_MS, signal });
    await noteBooks(stage, await people.credits());
    if (wasDone) return note('killed-worker', notSeen('the worker ended before it was killed'));
    const recovered =
      tookMs === undefined ? differs('its contact gets no status') : asAssumed(seconds(tookMs));
    note('killed-worker', recovered);
  } finally {
    await people.slowDataService(0);
    await people.deliverTo(null);
  }
}

/** Compares the sum of the ledger with that of the charges, which include the killed worker's question. */
async function noteBooks({ stack, signal, note }: AwsStage, charged: number): Promise<void> {
  const verified = await stack.cli(['ledger', 'verify'], signal);
  const booked = ['posted', 'pending', 'doubtful'].map((kind) =>
    Number(partOf(verified, 'lifetime', kind) ?? 0),
  );
  const sum = booked.reduce((all, one) => all + one, 0);
  const isWhole = partOf(verified, 'ok') === true && sum >= charged;
  note('books-of-a-kill', metOr(isWhole, `the ledger holds ${sum} of ${charged} charged credits`));
}

/** Returns a check whether a worker has received a message of the queue. */
function takenFrom(QueueUrl: string): () => Promise<boolean> {
  const sqs = new SQSClient(AWS_TIMEOUTS);
  const taken = 'ApproximateNumberOfMessagesNotVisible';
  return async () => {
    const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [taken] });
    return Number((await sqs.send(asked)).Attributes?.[taken]) > 0;
  };
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / SECOND_MS)} s`;
}
