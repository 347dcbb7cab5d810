import type { BudgetState, OpenReservation } from '#shared/credit-ledger';
import type { Stop } from '#shared/spend';
import { type AlertLine, alertLine } from './alert-texts.ts';

/** Everything that alerts can report. */
export interface Situation {
  /** The stack that the alerts name. */
  readonly stack: string;
  readonly nowMs: number;
  /** IANA name, the same as the ledger's. */
  readonly timeZone: string;
  readonly budgets: readonly BudgetState[];
  /** Highest possible price of one record's questions. A budget with fewer credits left counts as used up. */
  readonly dearestCredits: number;
  readonly doubts: readonly Pick<OpenReservation, 'id' | 'amountCredits'>[];
  /** Stops by kind. The key of a stop for refused writes also has the object type. */
  readonly stops: ReadonlyMap<string, Stop>;
}

/** A fact that is reported one time. */
export interface Fact {
  readonly key: string;
  /**
   * Time when the note of the fact expires, in epoch milliseconds. Without it, the note expires when the fact no longer
   * holds.
   */
  readonly untilMs?: number | undefined;
  /** Cause of a stop, to name it again when the stop ends. */
  readonly stopped?: string | undefined;
}

/** Used percentages of a budget that are reported. */
const MARKS = [50, 80, 100] as const;
const DOUBT = 'doubt#';
const STOP = 'stop#';

/** Lists all facts that hold now. A budget that has reached a mark has also reached the lower ones. */
export function factsOf(situation: Situation): Fact[] {
  const { budgets, doubts, stops, nowMs } = situation;
  return [
    ...budgets.flatMap((state) =>
      MARKS.filter((mark) => mark <= markOf(state, situation)).map((mark) => ({
        key: keyOfMark(state, mark),
        untilMs: Math.max(state.resetsAtMs, nowMs),
      })),
    ),
    ...doubts.map(({ id }) => ({ key: `${DOUBT}${id}` })),
    ...[...stops].map(([name, { what }]) => ({ key: keyOfStop(name), stopped: what })),
  ];
}

/**
 * Writes a line for each new fact and each ended stop. A budget is reported only at its highest mark. Doubts are
 * reported by their number.
 */
export function linesOf(
  changed: { readonly added: readonly Fact[]; readonly ended: readonly Fact[] },
  situation: Situation,
): AlertLine[] {
  const added = new Set(changed.added.map(({ key }) => key));
  return [
    ...situation.budgets.flatMap((state) => {
      const mark = markOf(state, situation);
      return added.has(keyOfMark(state, mark)) ? [budgetLine(state, mark, situation)] : [];
    }),
    ...doubtLine(
      situation.doubts.filter(({ id }) => added.has(`${DOUBT}${id}`)),
      situation,
    ),
    ...[...situation.stops]
      .filter(([name]) => added.has(keyOfStop(name)))
      .map(([stop, { what, whatToDo: toDo }]) => alertLine('stopped', { stop, what, toDo }, situation)),
    ...changed.ended.flatMap(({ key, stopped: what }) =>
      what === undefined ? [] : [alertLine('stop-ended', { stop: key.slice(STOP.length), what }, situation)],
    ),
  ];
}

function keyOfStop(name: string): string {
  return `${STOP}${name}`;
}

function keyOfMark({ budget, resetsAtMs }: BudgetState, mark: number): string {
  return `budget#${budget}#${resetsAtMs}#${mark}`;
}

/** Returns the highest mark that the budget has reached, or 0. A budget of zero credits is never reported. */
function markOf({ limitCredits, usedCredits, leftCredits }: BudgetState, situation: Situation): number {
  if (limitCredits === 0) return 0;
  if (leftCredits < situation.dearestCredits) return 100;
  return MARKS.findLast((mark) => usedCredits * 100 >= limitCredits * mark) ?? 0;
}

function budgetLine(state: BudgetState, mark: number, situation: Situation): AlertLine {
  const { budget, usedCredits, limitCredits, leftCredits, resetsAtMs: untilMs } = state;
  const use = { budget, usedCredits, limitCredits, leftCredits, untilMs };
  return mark === 100
    ? alertLine('budget-used-up', use, situation)
    : alertLine('budget-mark', { ...use, mark }, situation);
}

function doubtLine(doubts: Situation['doubts'], situation: Situation): AlertLine[] {
  if (doubts.length === 0) return [];
  const credits = doubts.reduce((sum, { amountCredits }) => sum + amountCredits, 0);
  return [alertLine('doubts', { requests: doubts.length, credits }, situation)];
}
