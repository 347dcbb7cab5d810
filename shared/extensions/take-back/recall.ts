import { inChunks } from '#shared/kernel';
import { type AnswerFilter, dropAnswers } from '#shared/questions';
import { isUnderWay, type RecordState, type Removal, wantedGroups } from '#shared/records';
import { REMOVED_AT_ONCE, tallyOf } from './expire-values.ts';
import { type RemovalResult, type RemovalServices, removeValues } from './remove-values.ts';

/** Period of a recall, epoch milliseconds, both ends inclusive. */
export type ObtainedIn = NonNullable<Removal['obtained']>;

export interface RecallReport {
  /** Stored answers that were deleted, including those of lookups and searches without a record. */
  readonly answers: number;
  readonly records: number;
  /** Properties that were emptied in HubSpot. */
  readonly values: number;
  /** Unfinished records, with the reason. */
  readonly open: readonly { readonly record: string; readonly reason: string }[];
  /** Records of forgotten people that HubSpot still has. It is no longer stored which of their values are ours. */
  readonly forgotten: readonly string[];
  /**
   * Present if only HubSpot's reserved daily requests are left, which are for other apps. The remaining records must be
   * recalled after this time, epoch milliseconds.
   */
  readonly pausedUntilMs?: number | undefined;
}

interface Recalling {
  readonly obtained: ObtainedIn;
  /** Keys of all questions that were charged in this period, from the ledger. */
  readonly questions: () => AsyncIterable<string>;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/**
 * Several passes are needed. One pass may miss a record that moves in the index, or an answer that is written later.
 */
const MAX_PASSES = 4;

/**
 * Removes every value of ours that was obtained in a period, from HubSpot and from our stores. It deletes the stored
 * answers first, so that no record is filled from them again. After an interruption, a repeated call continues and
 * recognises finished work.
 */
export async function recallValues(
  services: RemovalServices,
  { obtained, questions, onProgress }: Recalling,
): Promise<RecallReport> {
  let answers = 0;
  const { fromMs, toMs } = obtained;
  const isDropped: AnswerFilter = ({ askedAtMs }) => askedAtMs >= fromMs && askedAtMs <= toMs;
  const drop = async () => {
    for await (const key of questions()) answers += await dropAnswers(services.forgetting, key, isDropped);
  };
  await drop();
  const done = new Set<string>();
  let values = 0;
  let open: RecallReport['open'] = [];
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    open = [];
    let isClean = true;
    for await (const { objectType, states, seen } of wantedGroups(services, (state) =>
      mayHoldValues(state, { obtained, done }),
    )) {
      for (const group of inChunks(states, REMOVED_AT_ONCE)) {
        onProgress?.(seen);
        const pausedUntilMs = await services.crm.pausedUntil('bulk');
        if (pausedUntilMs !== undefined)
          return { answers, records: done.size, values, open, forgotten: [], pausedUntilMs };
        const wish: Removal = { by: 'recall', obtained, atMs: services.clock.now() };
        const wanted = group.map((state) => ({ state, wish }));
        const results = await removeValues(services, objectType, wanted);
        values += tallyOf(results).values;
        for (const result of results) if (result.kind === 'done') done.add(`${objectType}/${result.id}`);
        open = [...open, ...openOf(objectType, results)];
        isClean = false;
      }
    }
    if (isClean) break;
  }
  // An answer that was in flight at the beginning may now be stored.
  await drop();
  return { answers, records: done.size, values, open, forgotten: await forgottenInHubSpot(services) };
}

async function forgottenInHubSpot(services: RemovalServices): Promise<readonly string[]> {
  const found: string[] = [];
  const isForgotten = ({ forgottenAtMs }: RecordState) => forgottenAtMs !== undefined;
  for await (const { objectType, states } of wantedGroups(services, isForgotten)) {
    const ids = states.map(({ id }) => id);
    const { records } = await services.crm.read({ objectType, ids, properties: [] });
    found.push(...ids.filter((id) => records.get(id)?.id === id).map((id) => `${objectType}/${id}`));
  }
  return found;
}

interface RecallFilter {
  readonly obtained: ObtainedIn;
  /** Records that this recall has finished: `contacts/123`. */
  readonly done: ReadonlySet<string>;
}

/** Whether the state shows that a record may hold values of the period. */
function mayHoldValues(state: RecordState, { obtained: { fromMs, toMs }, done }: RecallFilter): boolean {
  const { objectType, id, forgottenAtMs, mergedInto, run, obtainedAtMs } = state;
  if (forgottenAtMs !== undefined || mergedInto !== undefined || done.has(`${objectType}/${id}`))
    return false;
  if (isUnderWay(state)) return true;
  if (run?.answeredQuestion !== undefined) return run.openedAtMs <= toMs;
  const lastMs = Math.max(state.answeredAtMs ?? 0, state.outcome?.atMs ?? 0);
  return obtainedAtMs !== undefined && obtainedAtMs <= toMs && lastMs >= fromMs;
}

function openOf(objectType: string, results: readonly RemovalResult[]): RecallReport['open'] {
  return results.flatMap((result) => {
    const record = `${objectType}/${result.id}`;
    if (result.kind === 'open') return [{ record, reason: result.reason }];
    return result.kind === 'busy' ? [{ record, reason: 'a worker has it' }] : [];
  });
}
