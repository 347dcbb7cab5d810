import type { Clock } from '../kernel/clock.ts';
import type { Digest } from '../kernel/digest.ts';
import { OutsideError } from '../kernel/errors.ts';
import type { Random } from '../kernel/random.ts';
import { type BudgetState, type Budgets, budgetStates, leftFor } from './budgets.ts';
import { chain } from './chain.ts';
import type { LedgerEntry, OpenReservation, Purpose } from './entries.ts';
import { type Decision, decideEntry, type LedgerCommand, type Rules } from './next-entry.ts';
import { type LedgerStore, readLog } from './store.ts';

export interface LedgerDeps {
  readonly store: LedgerStore;
  readonly account: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  readonly budgets: Budgets;
  /** IANA name; days and months of the budgets are counted in it. */
  readonly timeZone: string;
}

export type Appended =
  | { readonly kind: 'appended'; readonly entry: LedgerEntry }
  | Exclude<Decision, { readonly kind: 'entry' }>;

export interface CreditLedger {
  readonly account: string;
  /** Appends what the command does to the books, or says why not. Safe to repeat. */
  apply(command: LedgerCommand): Promise<Appended>;
  /** What a command would come to, from the newest entry known here; appends nothing. */
  preview(command: LedgerCommand): Promise<Decision>;
  openReservations(): Promise<readonly OpenReservation[]>;
  budgets(): Promise<readonly BudgetState[]>;
  /** Credits that may still be spent for a purpose, now. */
  left(purpose: Purpose): Promise<number>;
  newest(): Promise<LedgerEntry | undefined>;
  /** Credits that a reservation which is no longer open ended in. Reads the log: for rare cases. */
  chargedFor(reservationId: string): Promise<number>;
}

/** Each lost race means that another asker got on; far more of them than this is a store gone wrong. */
const MAX_LOST_RACES = 200;

export function createLedger(deps: LedgerDeps): CreditLedger {
  const newest = () => deps.store.newest(deps.account);
  const view = async () => {
    const entry = await newest();
    const { budgets, timeZone } = deps;
    return { totals: entry?.totals, budgets, nowMs: Math.max(entry?.atMs ?? 0, deps.clock.now()), timeZone };
  };
  return {
    account: deps.account,
    apply: (command) => appendUntilWon(deps, command),
    preview: async (command) => decideEntry(await newest(), command, rules(deps)),
    openReservations: async () => (await newest())?.open ?? [],
    budgets: async () => budgetStates(await view()),
    left: async (purpose) => leftFor(await view(), purpose),
    newest,
    chargedFor: async (reservationId) => {
      let credits = 0;
      for await (const entry of readLog(deps.store, deps.account)) {
        const isCharge = entry.kind === 'posted' || entry.kind === 'late';
        if (isCharge && entry.reservationId === reservationId) credits += entry.amountCredits;
      }
      return credits;
    },
  };
}

async function appendUntilWon(deps: LedgerDeps, command: LedgerCommand): Promise<Appended> {
  const { store, account, digest, clock, random } = deps;
  let searchedSeq = 0;
  for (let lost = 0; lost < MAX_LOST_RACES; lost += 1) {
    const previous = await store.newest(account);
    const decision = decideEntry(previous, command, rules(deps));
    if (decision.kind !== 'entry') return decision;
    if (leavesNoTrace(command)) {
      if (await isBooked(deps, decision.draft.id, searchedSeq + 1)) return { kind: 'exists' };
      searchedSeq = previous?.seq ?? 0;
    }
    const entry = chain(decision.draft, { account, previous, digest });
    if ((await store.append(entry)) === 'appended') return { kind: 'appended', entry };
    await clock.sleep(random() * Math.min(200, 5 * 2 ** lost));
  }
  throw new OutsideError({
    code: 'LEDGER_CONTENDED',
    message: `The ledger's next place was taken ${MAX_LOST_RACES} times in a row.`,
    retryable: true,
  });
}

/** Whether a command, once booked, is not seen in the open reservations of the entries after it. */
function leavesNoTrace({ kind }: LedgerCommand): boolean {
  return kind === 'late' || kind === 'grant' || kind === 'adjust';
}

/** Whoever searched up to the newest entry and then wins the next place has not booked anything twice. */
async function isBooked({ store, account }: LedgerDeps, id: string, fromSeq: number): Promise<boolean> {
  for await (const entry of readLog(store, account, fromSeq)) if (entry.id === id) return true;
  return false;
}

function rules({ budgets, timeZone, clock }: LedgerDeps): Rules {
  return { budgets, timeZone, nowMs: clock.now() };
}
