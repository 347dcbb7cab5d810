import type { Purpose } from '#shared/crm';
import { type Clock, type Digest, isClockWrong, type Random, zoneInForce } from '#shared/kernel';
import { believedNow, type Clocks, refuseWrongClock, untilWon } from '#shared/versioned-items';
import {
  type BudgetPace,
  type BudgetRefusal,
  type BudgetState,
  type Budgets,
  budgetStates,
  leftFor,
  paceFor,
  refusingBudget,
  type Spender,
} from './budgets.ts';
import { chain } from './chain.ts';
import type { LedgerCommand } from './command.ts';
import { type BookingRules, type Decision, decideEntry } from './next-entry.ts';
import { findOldDoubt } from './old-doubts.ts';
import { plannedFor } from './plan.ts';
import type { LedgerEntry, OpenReservation } from './schemas.ts';
import { entriesAbout } from './search.ts';
import { type LedgerStore, readLog } from './store.ts';

export interface LedgerReaderServices extends Clocks {
  readonly store: LedgerStore;
  readonly account: string;
  readonly budgets: Budgets;
  /**
   * IANA name from the policy, for the days and months of the budgets. A change of the policy takes effect with the
   * next month.
   */
  readonly timeZone: string;
}

export interface LedgerServices extends LedgerReaderServices {
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
}

export type Appended =
  | { readonly kind: 'appended'; readonly entry: LedgerEntry }
  /** Only in answer to a reservation, because a machine with a wrong clock must not spend. */
  | { readonly kind: 'clock-wrong' }
  | Exclude<Decision, { readonly kind: 'entry' }>;

/** The budgets at one moment. */
export interface BudgetsNow {
  states(): readonly BudgetState[];
  /** Returns the credits that may still be spent for a purpose. */
  left(purpose: Purpose, given?: Pick<Spender, 'overrulesReserve'>): number;
  /** Returns the budget that refuses these credits, if any. */
  refusal(spender: Spender, amountCredits: number): BudgetRefusal | undefined;
  /**
   * Returns the credits that a purpose should spend today: an even share of a month's budget, or more if credits would
   * expire.
   */
  planned(purpose: Purpose): number;
  /** Returns the speed at which the budgets cover requests of this price. */
  pace(asked: { readonly purpose: Purpose; readonly amountCredits: number }): BudgetPace;
}

/** The ledger for readers, which need no secret. */
export interface LedgerReader {
  readonly account: string;
  openReservations(): Promise<readonly OpenReservation[]>;
  /** Returns the budgets now. Reads only the newest entry. */
  now(): Promise<BudgetsNow>;
  newest(): Promise<LedgerEntry | undefined>;
}

export interface CreditLedger extends LedgerReader {
  /** Appends the command's entry, or returns the reason of a refusal. Safe to repeat. */
  apply(command: LedgerCommand): Promise<Appended>;
  /** Decides a command by the newest entry, and appends nothing. */
  preview(command: LedgerCommand): Promise<Decision>;
  /**
   * Returns the charge of a closed reservation, including adjustments, in credits; `undefined` if it was never booked
   * as charged. Reads the log back to the reservation's time, so use it only in rare cases.
   */
  chargedFor(reservationId: string): Promise<number | undefined>;
}

export function createLedgerReader(services: LedgerReaderServices): LedgerReader {
  const newest = () => services.store.newest(services.account);
  return {
    account: services.account,
    openReservations: async () => (await newest())?.open ?? [],
    now: async () => budgetsNow(services, await newest()),
    newest,
  };
}

function budgetsNow(services: LedgerReaderServices, newest: LedgerEntry | undefined): BudgetsNow {
  const { budgets } = services;
  const nowMs = Math.max(newest?.atMs ?? 0, believedNow(services));
  const timeZone = zoneInForce(newest, services.timeZone, nowMs);
  const view = { totals: newest?.totals, budgets, nowMs, timeZone };
  return {
    states: () => budgetStates(view),
    left: (purpose, given) => leftFor(view, { purpose, ...given }),
    refusal: (spender, amountCredits) => refusingBudget(view, { ...spender, amountCredits }),
    planned: (purpose) => plannedFor(view, purpose),
    pace: (asked) => paceFor(view, asked),
  };
}

export function createLedger(services: LedgerServices): CreditLedger {
  const reader = createLedgerReader(services);
  const local: LocalEnd = {};
  const inSequence = oneByOne();
  return {
    ...reader,
    // Commands run one after the other, because parallel appends of one process would only conflict with each other.
    apply: (command) =>
      inSequence(async () => {
        if (isByPerson(command)) await refuseWrongPerson(services);
        return appendUntilWon(services, command, local);
      }),
    preview: async (command) => {
      const atMs = services.clock.monotonic();
      const newest = await reader.newest();
      seeNewest(local, newest);
      local.preview = { newest, atMs };
      return decideEntry(newest, command, rules(services));
    },
    chargedFor: async (reservationId) => {
      let credits: number | undefined;
      for await (const { kind, id, reservationId: chargedId, amountCredits } of entriesAbout(
        services,
        reservationId,
      )) {
        const isCharge = (kind === 'posted' || kind === 'late') && chargedId === reservationId;
        if (isCharge) credits = (credits ?? 0) + amountCredits;
        if (kind === 'adjustment' && id.startsWith(`${reservationId}:`))
          credits = (credits ?? 0) - amountCredits;
      }
      return credits;
    },
  };
}

function oneByOne(): <T>(step: () => Promise<T>) => Promise<T> {
  let before: Promise<unknown> = Promise.resolve();
  return (step) => {
    const done = before.then(step);
    before = done.catch(() => undefined);
    return done;
  };
}

function isByPerson(command: LedgerCommand): boolean {
  return (command.kind === 'grant' || command.kind === 'adjust') && !command.isProved;
}

/**
 * Refuses a person's command while the clock is wrong. The person can repeat the command later.
 * @throws UpstreamError `CLOCK_WRONG`
 */
async function refuseWrongPerson(services: LedgerServices): Promise<void> {
  await services.store.newest(services.account);
  refuseWrongClock(services, 'booked');
}

/** Maximum age of a preview that replaces a read. */
const PREVIEW_MS = 100;

/** This process's copy of the log's end. If the copy is outdated, the append fails and the process reads again. */
interface LocalEnd {
  preview?: { readonly newest: LedgerEntry | undefined; readonly atMs: number };
  /** The newest entry, if this process appended it and knows of no later entry of another process. */
  own?: LedgerEntry | undefined;
  /** The last entry that this process appended. */
  last?: LedgerEntry | undefined;
}

function seeNewest(local: LocalEnd, newest: LedgerEntry | undefined): void {
  if (newest?.hash !== local.own?.hash) local.own = undefined;
}

/** Whether no other process has appended between this process's last two entries. */
function isAlone({ last }: LocalEnd, previous: LedgerEntry | undefined): boolean {
  return last !== undefined && previous?.hash === last.hash;
}

function guessNewest(
  { preview, own }: LocalEnd,
  nowMs: number,
): { newest: LedgerEntry | undefined } | undefined {
  if (own) return { newest: own };
  return preview && nowMs < preview.atMs + PREVIEW_MS ? preview : undefined;
}

function appendUntilWon(
  services: LedgerServices,
  command: LedgerCommand,
  local: LocalEnd,
): Promise<Appended> {
  const { store, account, digest, clock, random, storeClock } = services;
  let searchedSeq = 0;
  return untilWon({ kind: "ledger's newest entry", clock, random }, async (lost) => {
    // With a wrong clock the entry is read, because the answer's time can show that the clock is correct again.
    const canGuess = lost === 0 && !isClockWrong(storeClock);
    const guess = canGuess ? guessNewest(local, clock.monotonic()) : undefined;
    const previous = guess ? guess.newest : await store.newest(account);
    if (!guess) seeNewest(local, previous);
    if (command.kind === 'reserve' && isClockWrong(storeClock)) return { kind: 'clock-wrong' };
    const decided = decideEntry(previous, command, rules(services));
    const decision = guess ? decided : await decideOldDoubt(services, command, { previous, decided });
    // A refusal that is based on a guess proves nothing, so the entry is read. A wrong guess makes the append fail.
    if (decision.kind !== 'entry') return guess ? undefined : decision;
    if (leavesNoTrace(command)) {
      if (await isBooked(services, decision.draft.id, searchedSeq + 1)) return { kind: 'exists' };
      searchedSeq = previous?.seq ?? 0;
    }
    const entry = chain(decision.draft, { account, previous, digest });
    const isAppended = (await store.append(entry)) === 'appended';
    local.own = isAppended && isAlone(local, previous) ? entry : undefined;
    local.last = isAppended ? entry : undefined;
    return isAppended ? { kind: 'appended', entry } : undefined;
  });
}

interface Decided {
  readonly previous: LedgerEntry | undefined;
  readonly decided: Decision;
}

/**
 * Decides again if the reservation is not listed as open. It may be an old doubt, which only the log shows, with its
 * amount.
 */
async function decideOldDoubt(
  services: LedgerServices,
  command: LedgerCommand,
  { previous, decided }: Decided,
): Promise<Decision> {
  const { oldDoubts } = previous?.totals ?? {};
  if (decided.kind !== 'not-open' || !oldDoubts || !('reservationId' in command)) return decided;
  const { reservationId } = command;
  const oldDoubt = await findOldDoubt(entriesAbout(services, reservationId), reservationId);
  return oldDoubt ? decideEntry(previous, command, { ...rules(services), oldDoubt }) : decided;
}

/** Whether only the log shows that the command was booked, because it changes no open reservation. */
function leavesNoTrace({ kind }: LedgerCommand): boolean {
  return kind === 'late' || kind === 'grant' || kind === 'adjust';
}

/** Searches the log for the id. If this process can then append the next entry, nothing was booked twice. */
async function isBooked(services: LedgerServices, id: string, fromSeq: number): Promise<boolean> {
  const { store, account } = services;
  const log = fromSeq > 1 ? readLog(store, account, fromSeq) : entriesAbout(services, id);
  for await (const entry of log) if (entry.id === id) return true;
  return false;
}

/** Uses the store's time. An entry with a later time would use a later day's budget. */
function rules(services: LedgerServices): BookingRules {
  const { budgets, timeZone } = services;
  return { budgets, timeZone, nowMs: believedNow(services) };
}
