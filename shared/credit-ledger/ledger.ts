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
  /** The policy's IANA name; days and months of the budgets are counted in it, after a change from the next month on. */
  readonly timeZone: string;
}

export interface LedgerServices extends LedgerReaderServices {
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
}

export type Appended =
  | { readonly kind: 'appended'; readonly entry: LedgerEntry }
  /** Only for a reservation: a machine with a wrong clock spends nothing. */
  | { readonly kind: 'clock-wrong' }
  | Exclude<Decision, { readonly kind: 'entry' }>;

/** What the budgets allow at one moment. */
export interface BudgetsNow {
  states(): readonly BudgetState[];
  /** Credits that may still be spent for a purpose. */
  left(purpose: Purpose, given?: Pick<Spender, 'overrulesReserve'>): number;
  /** The budget that forbids spending this many credits, if any. */
  refusal(spender: Spender, amountCredits: number): BudgetRefusal | undefined;
  /** Credits that a purpose is to spend today: of a month's budget an even share, more where credits would lapse. */
  planned(purpose: Purpose): number;
  /** How fast the budgets pay for requests of so many credits. */
  pace(asked: { readonly purpose: Purpose; readonly amountCredits: number }): BudgetPace;
}

/** The books for those who only look: without what an entry is chained with, the installation's secret. */
export interface LedgerReader {
  readonly account: string;
  openReservations(): Promise<readonly OpenReservation[]>;
  /** What the budgets allow, by one read of the newest entry. */
  now(): Promise<BudgetsNow>;
  newest(): Promise<LedgerEntry | undefined>;
}

export interface CreditLedger extends LedgerReader {
  /** Appends what the command does to the books, or says why not. Safe to repeat. */
  apply(command: LedgerCommand): Promise<Appended>;
  /** What a command would come to, from the newest entry known here; appends nothing. */
  preview(command: LedgerCommand): Promise<Decision>;
  /**
   * Credits that a reservation which is no longer open ended in, after its own adjustments. Nothing where it was never
   * booked as charged. Reads the log back to its time: for rare cases.
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
  const known: Known = {};
  const inTurn = oneByOne();
  return {
    ...reader,
    // One after the other: those of one process would only lose races to each other.
    apply: (command) =>
      inTurn(async () => {
        if (isByPerson(command)) await refuseWrongPerson(services);
        return appendUntilWon(services, command, known);
      }),
    preview: async (command) => {
      const atMs = services.clock.monotonic();
      const newest = await reader.newest();
      seeNewest(known, newest);
      known.preview = { newest, atMs };
      return decideEntry(newest, command, rules(services));
    },
    chargedFor: async (reservationId) => {
      let credits: number | undefined;
      for await (const { kind, id, reservationId: about, amountCredits } of entriesAbout(
        services,
        reservationId,
      )) {
        const isCharge = (kind === 'posted' || kind === 'late') && about === reservationId;
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

/** A person can set the clock and repeat the command. @throws UpstreamError `CLOCK_WRONG` */
async function refuseWrongPerson(services: LedgerServices): Promise<void> {
  await services.store.newest(services.account);
  refuseWrongClock(services, 'booked');
}

/** A preview that is not older than this is not read again. */
const PREVIEW_MS = 100;

/** What this process knows of the log. An append on outdated knowledge fails, and the process reads again. */
interface Known {
  preview?: { readonly newest: LedgerEntry | undefined; readonly atMs: number };
  /** Its own newest entry, as long as no other process was seen to append. */
  own?: LedgerEntry | undefined;
  /** The last one that it appended. */
  last?: LedgerEntry | undefined;
}

function seeNewest(known: Known, newest: LedgerEntry | undefined): void {
  if (newest?.hash !== known.own?.hash) known.own = undefined;
}

/** No other process has appended between its own last two. */
function isAlone({ last }: Known, previous: LedgerEntry | undefined): boolean {
  return last !== undefined && previous?.hash === last.hash;
}

function guessNewest(
  { preview, own }: Known,
  nowMs: number,
): { newest: LedgerEntry | undefined } | undefined {
  if (own) return { newest: own };
  return preview && nowMs < preview.atMs + PREVIEW_MS ? preview : undefined;
}

function appendUntilWon(services: LedgerServices, command: LedgerCommand, known: Known): Promise<Appended> {
  const { store, account, digest, clock, random, storeClock } = services;
  let searchedSeq = 0;
  return untilWon({ kind: "ledger's newest entry", clock, random }, async (lost) => {
    // The clock may be correct again: the read returns the store's time.
    const mayGuess = lost === 0 && !isClockWrong(storeClock);
    const guess = mayGuess ? guessNewest(known, clock.monotonic()) : undefined;
    const previous = guess ? guess.newest : await store.newest(account);
    if (!guess) seeNewest(known, previous);
    if (command.kind === 'reserve' && isClockWrong(storeClock)) return { kind: 'clock-wrong' };
    const decided = decideEntry(previous, command, rules(services));
    const decision = guess ? decided : await ofOldDoubt(services, command, { previous, decided });
    // Only an entry that comes next proves that the guess was right.
    if (decision.kind !== 'entry') return guess ? undefined : decision;
    if (leavesNoTrace(command)) {
      if (await isBooked(services, decision.draft.id, searchedSeq + 1)) return { kind: 'exists' };
      searchedSeq = previous?.seq ?? 0;
    }
    const entry = chain(decision.draft, { account, previous, digest });
    const isAppended = (await store.append(entry)) === 'appended';
    known.own = isAppended && isAlone(known, previous) ? entry : undefined;
    known.last = isAppended ? entry : undefined;
    return isAppended ? { kind: 'appended', entry } : undefined;
  });
}

interface Decided {
  readonly previous: LedgerEntry | undefined;
  readonly decided: Decision;
}

/** A reservation that is not open may be a doubt that has left the list. The log shows this, and its amount. */
async function ofOldDoubt(
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

/** Whether a command, once booked, is not seen in the open reservations of the entries after it. */
function leavesNoTrace({ kind }: LedgerCommand): boolean {
  return kind === 'late' || kind === 'grant' || kind === 'adjust';
}

/** A process that read up to the newest entry and then wins the next place has not booked anything twice. */
async function isBooked(services: LedgerServices, id: string, fromSeq: number): Promise<boolean> {
  const { store, account } = services;
  const log = fromSeq > 1 ? readLog(store, account, fromSeq) : entriesAbout(services, id);
  for await (const entry of log) if (entry.id === id) return true;
  return false;
}

/** No entry has a time that the store's clock has not reached: it would use its day's budget instead of today's. */
function rules(services: LedgerServices): BookingRules {
  const { budgets, timeZone } = services;
  return { budgets, timeZone, nowMs: believedNow(services) };
}
