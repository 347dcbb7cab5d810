import { DAY_MS, mapInChunks } from '#shared/kernel';
import { PRIORS, stillTrue, worthOfAsking } from './change-rate.ts';
import type { RecordItems } from './change-record.ts';
import type { RecordPlace } from './record-state.ts';
import { REFRESH_CELLS, weightOf } from './refresh-cells.ts';
import type { RecordState } from './schemas.ts';
import { recordKind } from './stored-kinds.ts';

/** A stale record, and why it is at its place. */
export interface Candidate {
  readonly state: RecordState;
  /** Probability that its last answer is still true, 0 to 1. */
  readonly stillTrue: number;
  /** What asking now is worth, by the weights of the policy. */
  readonly worth: number;
  /** At most. */
  readonly credits: number;
}

export interface Choosing {
  readonly nowMs: number;
  /** As many are chosen as these surely pay for, at their worst case. */
  readonly credits: number;
  readonly most: number;
}

interface Services {
  readonly records: Pick<RecordItems, 'list'>;
  readonly worstCaseCredits: (
    of: Pick<RecordState, 'objectType'> & Partial<Pick<RecordState, 'rule'>>,
  ) => number;
}

/**
 * The stale records that are worth most a credit, best first. Whatever has been stored, it reads little: the head of each
 * cell, and of a cell that gives some about twice as many. `rest`: stale ones that were seen and not chosen.
 */
export async function chooseByWorth(
  services: Services,
  choosing: Choosing,
): Promise<{ readonly chosen: readonly Candidate[]; readonly rest: number }> {
  const { most } = choosing;
  const cells = await openCells(services, choosing);
  const chosen: Candidate[] = [];
  let left = choosing.credits;
  for (let best = bestOf(cells, left); best && chosen.length < most; best = bestOf(cells, left)) {
    const [candidate] = best.heads.splice(0, 1);
    if (!candidate) break;
    chosen.push(candidate);
    left -= candidate.credits;
    if (best.heads.length === 0) await readOn(services, best, choosing);
  }
  return { chosen, rest: cells.reduce((sum, { heads }) => sum + heads.length, 0) };
}

/** What asking about a record now would be worth. */
export function candidateOf(
  { worstCaseCredits }: Pick<Services, 'worstCaseCredits'>,
  state: RecordState,
  nowMs: number,
): Candidate {
  const { objectType, answeredAtMs, outcome, staleAtMs, changeRate = PRIORS[objectType] } = state;
  // One that was never answered: since it was first read.
  const sinceMs = answeredAtMs ?? outcome?.atMs ?? staleAtMs ?? nowMs;
  const days = Math.max(0, nowMs - sinceMs) / DAY_MS;
  return {
    state,
    stillTrue: stillTrue(changeRate, days),
    worth: worthOfAsking(changeRate, days, weightOf(state)),
    credits: worstCaseCredits(state),
  };
}

interface Cell {
  readonly partition: RecordPlace;
  /** The oldest answers that were read and not chosen. */
  heads: Candidate[];
  /** How many were read. */
  read: number;
  isWhole: boolean;
}

async function openCells(services: Services, choosing: Choosing): Promise<readonly Cell[]> {
  const cells: Cell[] = REFRESH_CELLS.map((partition) => ({
    ...{ partition, heads: [], read: 0, isWhole: false },
  }));
  await mapInChunks(cells, (cell) => readOn(services, cell, choosing));
  return cells.filter(({ heads }) => heads.length > 0);
}

/** Twice as many as before, from the head on: a place in a cell is a time, which many records may share. */
async function readOn(services: Services, cell: Cell, { nowMs, most }: Choosing): Promise<void> {
  const limit = Math.min(most, Math.max(1, cell.read * 2));
  if (cell.isWhole || limit === cell.read) return;
  const { partition, read } = cell;
  const states = await services.records.list({
    partition: recordKind.partition(partition),
    upTo: nowMs,
    limit,
  });
  cell.heads = states.slice(read).map((state) => candidateOf(services, state, nowMs));
  cell.read = states.length;
  cell.isWhole = states.length < limit;
}

/** The cell whose head brings most a credit and can be paid for. Nothing is paid for what is worth nothing. */
function bestOf(cells: readonly Cell[], leftCredits: number): Cell | undefined {
  let best: Cell | undefined;
  let most = 0;
  for (const cell of cells) {
    const [head] = cell.heads;
    if (!head || head.credits > leftCredits || head.worth / head.credits <= most) continue;
    best = cell;
    most = head.worth / head.credits;
  }
  return best;
}
