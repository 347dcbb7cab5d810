import type { Purpose } from '#shared/crm/purpose.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import type { Digest } from '#shared/kernel/digest.ts';
import type { Random } from '#shared/kernel/random.ts';
import { untilWon } from '#shared/versioned-items/races.ts';
import { type BudgetState, type Budgets, budgetStates, leftFor } from './budgets.ts';
import { zoneInForce } from './calendar.ts';
import { chain } from './chain.ts';
import { type Decision, decideEntry, type LedgerCommand, type Rules } from './next-entry.ts';
import type { LedgerEntry, OpenReservation } from './schemas.ts';
import { entriesAbout } from './search.ts';
import { type LedgerStore, readLog } from './store.ts';

export interface LedgerReaderServices {
  readonly store: LedgerStore;
  readonly account: string;
  readonly clock: Pick<Clock, 'now'>;
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
  | Exclude<Decision, { readonly kind: 'entry' }>;

/** The books for those who only look: without what an entry is chained with, the installation's secret. */
export interface LedgerReader {
  readonly account: string;
  openReservations(): Promise<readonly OpenReservation[]>;
  budgets(): Promise<readonly BudgetState[]>;
  /** Credits that may still be spent for a purpose, now. */
  left(purpose: Purpose): Promise<number>;
  newest(): Promise<LedgerEntry | undefined>;
}

export interface CreditLedger extends LedgerReader {
  /** Appends what the command does to the books, or says why not. Safe to repeat. */
  apply(command: LedgerCommand): Promise<Appended>;
  /** What a command would come to, from the newest entry known here; appends nothing. */
  preview(command: LedgerCommand): Promise<Decision>;
  /** Credits that a reservation which is no longer open ended in. Reads the log back to its time: for rare cases. */
  chargedFor(reservationId: string): Promise<number>;
}

export function createLedgerReader(services: LedgerReaderServices): LedgerReader {
  const newest = () => services.store.newest(services.account);
  const view = async () => {
    const entry = await newest();
    const { budgets } = services;
    const nowMs = Math.max(entry?.atMs ?? 0, services.clock.now());
    const timeZone = zoneInForce(entry, services.timeZone, nowMs);
    return { totals: entry?.totals, budgets, nowMs, timeZone };
  };
  return {
    account: services.account,
    openReservations: async () => (await newest())?.open ?? [],
    budgets: async () => budgetStates(await view()),
    left: async (purpose) => leftFor(await view(), purpose),
    newest,
  };
}

export function createLedger(services: LedgerServices): CreditLedger {
  const reader = createLedgerReader(services);
  return {
    ...reader,
    apply: (command) => appendUntilWon(services, command),
    preview: async (command) => decideEntry(await reader.newest(), command, rules(services)),
    chargedFor: async (reservationId) => {
      let credits = 0;
      for await (const entry of entriesAbout(services, reservationId)) {
        const isCharge = entry.kind === 'posted' || entry.kind === 'late';
        if (isCharge && entry.reservationId === reservationId) credits += entry.amountCredits;
      }
      return credits;
    },
  };
}

function appendUntilWon(services: LedgerServices, command: LedgerCommand): Promise<Appended> {
  const { store, account, digest, clock, random } = services;
  let searchedSeq = 0;
  return untilWon({ kind: "ledger's newest entry", clock, random }, async () => {
    const previous = await store.newest(account);
    const decision = decideEntry(previous, command, rules(services));
    if (decision.kind !== 'entry') return decision;
    if (leavesNoTrace(command)) {
      if (await isBooked(services, decision.draft.id, searchedSeq + 1)) return { kind: 'exists' };
      searchedSeq = previous?.seq ?? 0;
    }
    const entry = chain(decision.draft, { account, previous, digest });
    return (await store.append(entry)) === 'appended' ? { kind: 'appended', entry } : undefined;
  });
}

/** Whether a command, once booked, is not seen in the open reservations of the entries after it. */
function leavesNoTrace({ kind }: LedgerCommand): boolean {
  return kind === 'late' || kind === 'grant' || kind === 'adjust';
}

/** Whoever searched up to the newest entry and then wins the next place has not booked anything twice. */
async function isBooked(services: LedgerServices, id: string, fromSeq: number): Promise<boolean> {
  const { store, account } = services;
  const log = fromSeq > 1 ? readLog(store, account, fromSeq) : entriesAbout(services, id);
  for await (const entry of log) if (entry.id === id) return true;
  return false;
}

function rules({ budgets, timeZone, clock }: LedgerServices): Rules {
  return { budgets, timeZone, nowMs: clock.now() };
}
