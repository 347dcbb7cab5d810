import { homeWish, type Reply, type RequestServices, type WishHandler } from '#shared/requests';
import type { OpenItems } from '#shared/store';
import { type BackfillMoved, moveBackfill } from './move.ts';
import { decidedReply, refusedReply } from './reply-texts.ts';
import { type BackfillWish, backfillWish } from './schemas.ts';
import { type BackfillItems, backfillItems } from './stored-kinds.ts';

/** Handles decisions about backfills, on the home page. Everybody may pause or stop one. */
export function backfillWishes(given: { readonly open: OpenItems }): readonly WishHandler[] {
  const items = backfillItems(given);
  return [
    homeWish(backfillWish, (services, wish, { askedBy }) => move({ ...services, ...items }, wish, askedBy), {
      changesHome: true,
      listOf: ({ move }) => (move === 'pause' || move === 'stop' ? undefined : 'approve'),
    }),
  ];
}

/** Starts, approves, pauses, resumes or stops a backfill. */
async function move(
  services: RequestServices & Pick<BackfillItems, 'backfills'>,
  { backfillId, move: kind, maxCredits }: BackfillWish,
  by = 'user',
): Promise<Reply> {
  const step =
    kind === 'start' || kind === 'approve'
      ? { kind, maxCredits, by }
      : kind === 'pause'
        ? { kind, by }
        : { kind };
  const reply = movedReply(await moveBackfill(services, backfillId, step), kind);
  if (reply.kind !== 'decided' || kind === 'pause' || kind === 'stop') return reply;
  const { stopped } = await services.questions.breakers.read();
  return stopped ? decidedReply('agreed-but-held', { stopReason: stopped.reason }) : reply;
}

function movedReply(moved: BackfillMoved, move: BackfillWish['move']): Reply {
  switch (moved.kind) {
    case 'moved':
      return decidedReply(MOVED[move], {});
    case 'unknown':
      return refusedReply('backfill-unknown', {});
    case 'too-old':
      return refusedReply('quote-too-old', {});
    case 'dearer':
      return refusedReply('backfill-dearer', { credits: moved.maxCredits });
    case 'refused':
      return refusedReply('backfill-in-state', { state: moved.state });
  }
}

const MOVED = {
  start: 'trial-starts',
  approve: 'rest-starts',
  pause: 'backfill-paused',
  resume: 'backfill-continues',
  stop: 'backfill-stopped',
} as const;
