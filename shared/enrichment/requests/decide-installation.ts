import { askerWords } from '#shared/crm';
import { counted, instant, SECOND_MS } from '#shared/kernel';
import { resolveDoubt } from '#shared/questions';
import { eventThatEnds, lookedUpAgain } from '#shared/records';
import { change } from '#shared/versioned-items';
import { VISIBILITY_TIMEOUT_S } from '#shared/work-queue';
import { type BackfillMoved, moveBackfill } from '../backfill/move.ts';
import type { Backfill } from '../backfill/schemas.ts';
import { findWaiting, startRecords } from './admit-waiting.ts';
import type { RequestServices } from './request-services.ts';
import { type InstallationRequest, MAX_ADMITTED, type Reply } from './schemas.ts';
import { spendingStop } from './spending-stop.ts';
import { requestKind } from './stored-kinds.ts';

type RequestOf<K extends InstallationRequest['kind']> = Extract<InstallationRequest, { readonly kind: K }>;

/** Stops or resumes spending by the breaker that people use. */
export async function decideSpending(
  { questions }: RequestServices,
  request: RequestOf<'stop-spending' | 'resume-spending'>,
): Promise<Reply> {
  if (request.kind === 'stop-spending') {
    await questions.breakers.stop({ reason: 'stopped on the home page in HubSpot', by: deciderOf(request) });
    return decided('Spending is stopped. Requests in flight finish and are booked; no new one is sent.');
  }
  const { stopped } = await questions.breakers.resume(request.askedAtMs);
  if (!stopped) return refused('No person had stopped spending.');
  return stopped.sinceMs > request.askedAtMs
    ? refused('Spending was stopped again after you opened this page. Look at the reason first.')
    : decided('Spending continues. Waiting records are retried within 5 minutes.');
}

/**
 * A queue delivers a message again only after its worker has ended. So no worker that asks lives longer than this time
 * after its deadline. Before this time, no person can decide a doubt.
 */
export const ASKER_GRACE_MS = VISIBILITY_TIMEOUT_S * SECOND_MS;

/** Books a request with an unknown outcome as charged or not charged. */
export async function decideDoubt(
  { questions, policy }: RequestServices,
  request: RequestOf<'resolve-doubt'>,
): Promise<Reply> {
  const { questionKey, reservationId, charged } = request;
  const note = `decided on the home page by ${deciderOf(request)}`;
  const resolved = await resolveDoubt(
    questions,
    { questionKey, reservationId, charged, note },
    { graceMs: ASKER_GRACE_MS },
  );
  switch (resolved.kind) {
    case 'no-doubt':
      return refused('This request was resolved already.');
    case 'too-early':
      return refused(
        `The answer may still come. Decide after ${instant(resolved.notBeforeMs, policy.timeZone)}.`,
      );
    case 'resolved': {
      const { credits, returnedCredits, repeatCredits } = resolved;
      if (returnedCredits !== undefined)
        return decided(`Not charged: ${counted(returnedCredits, 'credit')} were booked and are given back.`);
      const booked = charged ? `Booked as charged: ${counted(credits, 'credit')}.` : 'Booked as not charged.';
      return decided(
        repeatCredits === undefined ? booked : `${booked} ${lookedUpAgain(repeatCredits, { charged })}`,
      );
    }
  }
}

/** Starts, approves, pauses, resumes or stops a backfill. */
export async function moveBackfillAsAsked(
  services: RequestServices,
  { backfillId, move: kind, maxCredits }: RequestOf<'backfill'>,
): Promise<Reply> {
  const move = kind === 'start' || kind === 'approve' ? { kind, maxCredits } : { kind };
  const reply = movedReply(await moveBackfill(services, backfillId, move), kind);
  if (reply.kind !== 'decided' || kind === 'pause' || kind === 'stop') return reply;
  const { stopped } = await services.questions.breakers.read();
  if (!stopped) return reply;
  const why = `reason of the stop: ${stopped.reason}`;
  return decided(
    `${DECIDED[kind]}, but nothing is bought for it until ${eventThatEnds('stopped-by-person')} (${why}).`,
  );
}

/** Decisions while a person has stopped spending. Stored answers are still used. */
const DECIDED = {
  start: 'The trial is agreed to',
  approve: 'The rest is approved',
  resume: 'The backfill is resumed',
} as const;

function movedReply(moved: BackfillMoved, move: RequestOf<'backfill'>['move']): Reply {
  switch (moved.kind) {
    case 'moved':
      return decided(MOVED[move]);
    case 'unknown':
      return refused('There is no such backfill.');
    case 'too-old':
      return refused('The quote is more than 30 days old. Make a new one.');
    case 'dearer':
      return refused(
        `This step costs at most ${counted(moved.maxCredits, 'credit')} now, more than the agreed price. Look again.`,
      );
    case 'refused':
      return refused(`The backfill ${STATE_WORDS[moved.state]}.`);
  }
}

const MOVED = {
  start: 'The trial starts with the next sweep, within a minute.',
  approve: 'The rest starts with the next sweep, within a minute.',
  pause: 'The backfill is paused. Only requests in flight are still charged.',
  resume: 'The backfill continues with the next sweep, within a minute.',
  stop: 'The backfill is stopped for good. Only requests in flight are still charged.',
} as const;

const STATE_WORDS: Readonly<Record<Backfill['state'], string>> = {
  quoting: 'has no complete quote yet',
  quoted: 'waits for its start',
  trial: 'runs its trial already',
  approval: 'waits for approval',
  running: 'is running already',
  paused: 'is paused already',
  done: 'is done already',
  stopped: 'was stopped already',
};

/**
 * Starts waiting records in spite of the reserve for leads. The agreed price limits their number. Refuses while a person
 * has stopped spending, because the records would start on another day, out of that day's reserve.
 */
export async function startWaiting(services: RequestServices, request: RequestOf<'admit'>): Promise<Reply> {
  const stopped = request.chosen ? undefined : await spendingStop(services);
  if (stopped !== undefined) return refused(`${stopped} Then start the records again.`);
  const chosen = request.chosen ?? (await choose(services, request));
  const started = await startRecords(services, chosen);
  // A worker that died before its reply has started them.
  const count = request.chosen ? chosen.length : started;
  return count === 0
    ? refused('No waiting record fits the agreed price, or none waits any more.')
    : decided(`${counted(count, 'record')} admitted. The next sweep starts them, as far as the budget goes.`);
}

async function choose(
  services: RequestServices,
  { id, purpose, maxCredits }: RequestOf<'admit'>,
): Promise<NonNullable<RequestOf<'admit'>['chosen']>> {
  const { records } = await findWaiting(services, { purposes: [purpose], limit: MAX_ADMITTED, maxCredits });
  const found = records.map(({ objectType, id }) => ({ objectType, id }));
  const { requests, clock } = services;
  const { chosen } = await change(requests, { key: requestKind.key(id), kind: 'request', clock }, (known) =>
    known?.kind === 'admit' && !known.chosen
      ? { chosen: found, value: { ...known, chosen: found } }
      : { chosen: known?.kind === 'admit' ? (known.chosen ?? []) : [] },
  );
  return chosen;
}

/** Returns the text that is stored with the decision, such as `HubSpot user 12345`. It never has a name. */
function deciderOf({ askedBy = 'user' }: InstallationRequest): string {
  return `HubSpot ${askerWords(askedBy).toLowerCase()}`;
}

function decided(what: string): Reply {
  return { kind: 'decided', what };
}

function refused(reason: string): Reply {
  return { kind: 'refused', reason };
}
