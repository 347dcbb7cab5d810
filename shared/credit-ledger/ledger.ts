import type { Purpose } from '#shared/crm';
import { assert, type Clock, type Digest, type Random, zoneInForce } from '#shared/kernel';
import { type TogetherStore, untilWon } from '#shared/store';
import {
  type BudgetPace,
  type BudgetRefusal,
  type BudgetState,
  type Budgets,
  budgetStates,
  leftFor,
  type PeopleLimits,
  paceFor,
  plannedFor,
  refusingBudget,
  type Spender,
} from './budgets.ts';
import { type BookingRules, type Decision, decideEntry, type LedgerCommand } from './next-entry.ts';
import type { LedgerEntry, OpenReservation } from './schemas.ts';
import { entriesAbout, type LedgerStore, readLog } from './store.ts';
import { chain, draftSetBack, followUse, isAhead, replay, type UseByDay } from './verify.ts';

export interface LedgerReaderServices {
  readonly clock: Pick<Clock, 'now'>;
  readonly store: LedgerStore;
  readonly account: string;
  readonly budgets: Budgets;
  /** If absent, people have no limit of their own. */
  readonly people?: PeopleLimits | undefined;
  /**
   * IANA name from the policy, for the days and months of the budgets. A change of the policy takes effect with the
   * next month.
   */
  readonly timeZone: string;
}

export interface LedgerServices extends LedgerReaderServices {
  readonly store: LedgerStore & Pick<TogetherStore, 'together'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
}

export type Appended =
  | { readonly kind: 'appended'; readonly entry: LedgerEntry }
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
  /**
   * Returns the budgets now. Reads only the newest entry.
   * @param budgets of another policy, to see what they would allow now.
   */
  now(budgets?: Budgets): Promise<BudgetsNow>;
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
  /**
   * If the log's time is ahead of the clock, appends an entry with the clock's time. Reads the whole log.
   * @returns `undefined` if the log is not ahead, or so little ahead that the clock catches up soon.
   */
  setBack(reason: string): Promise<LedgerEntry | undefined>;
}

export function createLedgerReader(services: LedgerReaderServices): LedgerReader {
  const newest = () => services.store.newest();
  return {
    account: services.account,
    openReservations: async () => (await newest())?.open ?? [],
    now: async (budgets = services.budgets) => budgetsNow({ ...services, budgets }, await newest()),
    newest,
  };
}

/** Joins the readers of several logs. The budgets are those of the first. */
export function joinReaders(readers: readonly [LedgerReader, ...LedgerReader[]]): LedgerReader {
  const inEach = <T>(read: (reader: LedgerReader) => Promise<T>) => Promise.all(readers.map(read));
  return {
    ...readers[0],
    openReservations: async () => (await inEach((reader) => reader.openReservations())).flat(),
    newest: async () => (await inEach((reader) => reader.newest()))[0],
  };
}

function budgetsNow(services: LedgerReaderServices, newest: LedgerEntry | undefined): BudgetsNow {
  const { budgets, people } = services;
  const nowMs = Math.max(newest?.atMs ?? 0, services.clock.now());
  const timeZone = zoneInForce(newest, services.timeZone, nowMs);
  const view = { totals: newest?.totals, budgets, people, nowMs, timeZone };
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
  return {
    ...reader,
    apply: (command) => append(services, command),
    preview: async (command) => decideEntry(await reader.newest(), command, rules(services)),
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
    setBack: (reason) => setBack(services, reason),
  };
}

async function append(services: LedgerServices, command: LedgerCommand): Promise<Appended> {
  const { store, account, digest } = services;
  const decideAfter = (newest: LedgerEntry | undefined) => decideEntry(newest, command, rules(services));
  let searchedSeq = 0;
  if (leavesNoTrace(command)) {
    // The long search is done before the work, which then searches only what came meanwhile.
    const newest = await store.newest();
    const decision = decideAfter(newest);
    if (decision.kind !== 'entry') return decision;
    if (await isBooked(services, decision.draft.id, 1)) return { kind: 'exists' };
    searchedSeq = newest?.seq ?? 0;
  }
  return store.together(async () => {
    const previous = await store.newest();
    const decision = decideAfter(previous);
    if (decision.kind !== 'entry') return decision;
    if (leavesNoTrace(command) && (await isBooked(services, decision.draft.id, searchedSeq + 1)))
      return { kind: 'exists' };
    const entry = chain(decision.draft, { account, previous, digest });
    const { kind } = await store.append(entry);
    assert(kind === 'appended', 'inside a work, the newest entry stays the newest');
    return { kind, entry };
  });
}

/** Whether only the log shows that the command was booked, because it changes no open reservation. */
function leavesNoTrace({ kind }: LedgerCommand): boolean {
  return kind === 'late' || kind === 'grant' || kind === 'adjust';
}

/** Searches the log for the id. If this process can then append the next entry, nothing was booked twice. */
async function isBooked(services: LedgerServices, id: string, fromSeq: number): Promise<boolean> {
  const log = fromSeq > 1 ? readLog(services.store, fromSeq) : entriesAbout(services, id);
  for await (const entry of log) if (entry.id === id) return true;
  return false;
}

function rules({ budgets, people, timeZone, clock }: LedgerServices): BookingRules {
  return { budgets, people, timeZone, nowMs: clock.now() };
}

async function setBack(services: LedgerServices, reason: string): Promise<LedgerEntry | undefined> {
  const { store, account, digest, clock, random, timeZone } = services;
  const { done } = await untilWon({ kind: "ledger's newest entry", clock, random }, async () => {
    const use: UseByDay = new Map();
    let previous: LedgerEntry | undefined;
    for await (const entry of readLog(store)) {
      followUse(use, entry, replay(entry, previous?.open ?? [], entry.timeZone).movement);
      previous = entry;
    }
    const nowMs = clock.now();
    if (!previous || !isAhead(previous, nowMs)) return { done: undefined };
    const entry = chain(draftSetBack(previous, { use, nowMs, timeZone, reason }), {
      account,
      previous,
      digest,
    });
    return (await store.append(entry)).kind === 'appended' ? { done: entry } : undefined;
  });
  return done;
}
