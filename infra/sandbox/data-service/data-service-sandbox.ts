import type { Clock } from '../../../shared/kernel/index.ts';
import { ConnectionReset } from '../connection-reset.ts';
import { refusalOf } from '../own-pages-only.ts';
import { ACTIVE_KEYS, DEACTIVATED_KEY } from './admission.ts';
import { type Bill, createBooks, emptyBill } from './bill.ts';
import { CONTROL_PATH, control } from './control.ts';
import { type FaultProgress, NO_PROGRESS } from './faults.ts';
import type { RateState } from './rate-limit.ts';
import { createRequestLog, type LoggedRequest } from './request-log.ts';
import { type ServiceMemory, serveRequest } from './serve-request.ts';
import { DEFAULT_SETTINGS, isRecord, type Settings } from './settings.ts';
import type { Company, Person } from './world/types.ts';
import { worldOf } from './world/world.ts';

export type { Company, LoggedRequest, Person, SandboxState, Settings };
export { ACTIVE_KEYS, ConnectionReset, DEACTIVATED_KEY };

const DEFAULT_SEED = 1;

export interface DataServiceSandboxOptions {
  readonly clock: Clock;
  /** Seed of the world, 1 by default. */
  readonly seed?: number | undefined;
  /** Changes to the default settings. A reset returns to these settings. */
  readonly settings?: Partial<Settings> | undefined;
  /** Result of `state()` before a restart. Its balance is kept, but `settings` override its other settings. */
  readonly saved?: unknown;
}

export interface DataServiceSandbox {
  /**
   * Answers like the vendor. Rejects with `ConnectionReset` if the connection breaks, and with the signal's reason if
   * the request is aborted during a wait or a hang.
   */
  handle(request: Request): Promise<Response>;
  /** A snapshot of the changing state, for `saved`. */
  state(): SandboxState;
  /** The bill, which tests read after each step. */
  bill(): Bill;
  readonly world: { readonly people: readonly Person[]; readonly companies: readonly Company[] };
}

/**
 * Creates the data service of the specification with a generated world, its own bill, and verbs under `/_sandbox/`.
 */
export function createDataServiceSandbox(options: DataServiceSandboxOptions): DataServiceSandbox {
  const { clock, seed = DEFAULT_SEED } = options;
  const world = worldOf(seed);
  const initial: Settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const start = options.saved === undefined ? freshState(seed, initial) : readState(options.saved, seed);
  const books = createBooks(start.bill);
  const memory: ServiceMemory = {
    settings: { ...DEFAULT_SETTINGS, ...start.settings, ...options.settings },
    rates: start.rates,
    faultProgress: start.faultProgress,
  };
  const view = () => ({ world, nowMs: clock.now(), settings: memory.settings });
  const settings = () => ({ ...memory.settings, creditBalance: books.balance() });
  const log = createRequestLog();
  const context = { clock, seed, view, books, memory, log };

  const controlled = {
    view,
    bill: books.bill,
    requests: log.list,
    settings,
    change: (change: Partial<Settings>) => {
      memory.settings = { ...memory.settings, ...change };
      if (change.creditBalance !== undefined) books.setBalance(change.creditBalance);
      if (change.faults !== undefined) memory.faultProgress = { ...memory.faultProgress, struck: [] };
    },
    reset: () => {
      Object.assign(memory, { settings: initial, rates: {}, faultProgress: NO_PROGRESS });
      books.reset(initial.creditBalance);
      log.clear();
    },
  };

  return {
    handle: async (request) => {
      const refusal = refusalOf(request, { writes: false });
      if (refusal) return refusal;
      const url = new URL(request.url);
      if (!url.pathname.startsWith(CONTROL_PATH)) return serveRequest(request, url, context);
      const { status, body } = await control(request, url, controlled);
      return Response.json(body, { status, headers: { date: new Date(clock.now()).toUTCString() } });
    },
    state: () => structuredClone({ version: 1, seed, ...memory, settings: settings(), bill: books.bill() }),
    bill: books.bill,
    world: { people: world.people, companies: world.companies },
  };
}

function freshState(seed: number, settings: Settings): SandboxState {
  const bill = emptyBill(settings.creditBalance);
  return { version: 1, seed, settings, bill, rates: {}, faultProgress: NO_PROGRESS };
}

/** The changing state, as plain data that survives a restart as JSON. */
interface SandboxState {
  readonly version: 1;
  /** Seed of the world of this state. */
  readonly seed: number;
  readonly settings: Settings;
  readonly bill: Bill;
  /** By API key. */
  readonly rates: Readonly<Record<string, RateState>>;
  readonly faultProgress: FaultProgress;
}

/**
 * @param saved a result of `state()`.
 * @throws Error if it is no such state, or belongs to another world.
 */
function readState(saved: unknown, seed: number): SandboxState {
  if (!isState(saved)) throw new Error('The saved state is not one of the data service stand-in.');
  if (saved.seed === seed) return saved;
  throw new Error(`The saved state belongs to the world of seed ${saved.seed}, not ${seed}.`);
}

function isState(saved: unknown): saved is SandboxState {
  if (!isRecord(saved) || saved['version'] !== 1 || typeof saved['seed'] !== 'number') return false;
  return ['settings', 'bill', 'rates', 'faultProgress'].every((part) => isRecord(saved[part]));
}
