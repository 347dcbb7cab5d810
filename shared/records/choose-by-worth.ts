import { DAY_MS, mapInChunks } from '#shared/kernel';
import { PRIORS, stillTrue, worthOfAsking } from './change-rate.ts';
import type { RecordItems } from './change-record.ts';
import type { RecordPlace } from './record-state.ts';
import { REFRESH_CELLS, weightOf } from './refresh-cells.ts';
import type { RecordState } from './schemas.ts';
import { recordKind } from './stored-kinds.ts';

/** A stale record with the figures that decide its priority. */
export interface Candidate {
  readonly state: RecordState;
  /** Probability that its last answer is still true, 0 to 1. */
  readonly stillTrue: number;
  /** Value of a lookup now, by the weights of the policy. */
  readonly worth: number;
  /** Highest cost of the lookup. */
  readonly credits: number;
}

export interface Choosing {
  readonly nowMs: number;
  /** Budget. The highest costs of all chosen records together fit into it. */
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
 * Chooses the stale records with the most value for each credit, best first. It first reads the oldest records of each
 * cell. It reads more records only of cells whose records were chosen. `rest` counts stale records that were read but
 * not chosen.
 */
export async function chooseByWorth(
  services: Services,
  choosing: Choosing,
): Promise<{ readonly chosen: readonly Candidate[]; readonly rest: number }> {
  const { most } = choosing;
  const cells = await openCells(services, choosing);
  const chosen: Candidate[] = [];
  let left = choosing.credits;
  for (let best = bestCell(cells, left); best && chosen.length < most; best = bestCell(cells, left)) {
    const [candidate] = best.heads.splice(0, 1);
    if (!candidate) break;
    chosen.push(candidate);
    left -= candidate.credits;
    if (best.heads.length === 0) await readMore(services, best, choosing);
  }
  return { chosen, rest: cells.reduce((sum, { heads }) => sum + heads.length, 0) };
}

/** Estimates the value and cost of a lookup of the record now. */
export function candidateOf(
  { worstCaseCredits }: Pick<Services, 'worstCaseCredits'>,
  state: RecordState,
  nowMs: number,
): Candidate {
  const { objectType, answeredAtMs, outcome, staleAtMs, changeRate = PRIORS[objectType] } = state;
  // For a record without an answer, the time since its first outcome counts.
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
  /** Records with the oldest answers that were read and not chosen yet. */
  heads: Candidate[];
  /** Number of records read. */
  read: number;
  isWhole: boolean;
}

async function openCells(services: Services, choosing: Choosing): Promise<readonly Cell[]> {
  const cells: Cell[] = REFRESH_CELLS.map((partition) => ({
    ...{ partition, heads: [], read: 0, isWhole: false },
  }));
  await mapInChunks(cells, (cell) => readMore(services, cell, choosing));
  return cells.filter(({ heads }) => heads.length > 0);
}

/**
 * Reads twice as many records as before, starting at the oldest. The read starts again from the beginning, because many
 * records can share one time in the index.
 */
async function readMore(services: Services, cell: Cell, { nowMs, most }: Choosing): Promise<void> {
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

/**
 * Returns the cell whose oldest record has the most value for each credit, among those that the credits can pay. A
 * record without value is not chosen.
 */
function bestCell(cells: readonly Cell[], leftCredits: number): Cell | undefined {
  let best: Cell | undefined;
  let highestValue = 0;
  for (const cell of cells) {
    const [head] = cell.heads;
    if (!head || head.credits > leftCredits || head.worth / head.credits <= highestValue) continue;
    best = cell;
    highestValue = head.worth / head.credits;
  }
  return best;
}
