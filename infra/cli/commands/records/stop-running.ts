import { backfillKind, endApply, findApply, moveBackfill } from '#shared/enrichment';
import { counted } from '#shared/kernel';
import type { Connection } from '../../connection/connection.ts';
import type { CommandRun } from '../../sheet-command.ts';
import { inFlightOf, inFlightWords, waitUntilWritten } from '../backfill/halt.ts';

/** A backfill or a policy apply that could still write during an undo. */
interface RunningWriter {
  readonly kind: 'backfill' | 'apply';
  readonly id: string;
  /** Name for the start of a sentence, such as `Backfill 1a2b3c4d`. */
  readonly words: string;
}

/** Finds which of the backfills, and the policy apply if given, can still write. */
export async function stillRunning(
  { services }: Connection,
  { backfillIds, apply }: { readonly backfillIds: readonly string[]; readonly apply?: string | undefined },
): Promise<readonly RunningWriter[]> {
  const running: RunningWriter[] = [];
  for (const id of backfillIds) {
    const backfill = (await services.backfills.read(backfillKind.key(id)))?.value;
    if (backfill?.startedAtMs === undefined || backfill.state === 'done') continue;
    // A stopped backfill cannot write any more if no worker has one of its records.
    if (backfill.state !== 'stopped' || backfill.outstanding.length > 0)
      running.push({ kind: 'backfill', id, words: `Backfill ${id}` });
  }
  const known = apply === undefined ? undefined : await findApply(services, apply);
  if (known && known.endedAtMs === undefined)
    running.push({ kind: 'apply', id: known.id, words: `Policy apply ${known.id}` });
  return running;
}

/**
 * Stops the writers, and waits until the workers have written their records. The undo then finds all writes in the
 * journal.
 * @returns whether all records are written.
 */
export async function stopAll(
  run: CommandRun,
  connection: Connection,
  running: readonly RunningWriter[],
): Promise<boolean> {
  const { services, clock } = connection;
  let isWhole = true;
  for (const { kind, id, words } of running) {
    if (kind === 'apply') await endApply({ ...services, clock }, id);
    const moved =
      kind === 'backfill' ? await moveBackfill({ ...services, clock }, id, { kind: 'stop' }) : undefined;
    const flight =
      moved?.kind === 'moved' ? inFlightWords(await inFlightOf(connection, moved.backfill)) : undefined;
    run.say([`${words} is stopped.`, ...(flight ? [flight] : [])].join(' '));
    const left = await waitUntilWritten(connection, { id, signal: run.signal });
    if (left === 0) continue;
    run.say(`${counted(left, 'record')} may still be written. Run this undo again in some minutes.`);
    isWhole = false;
  }
  return isWhole;
}
