import type { Clock } from '../../../shared/kernel/index.ts';
import { ConnectionReset } from '../connection-reset.ts';
import { ACTIVE_KEYS, DEACTIVATED_KEY } from './admission.ts';
import { type Bill, createBooks, emptyBill } from './bill.ts';
import { CONTROL_PATH, control } from './control.ts';
import { type Memory, serveRequest } from './desk.ts';
import { type FaultProgress, NO_PROGRESS } from './faults.ts';
import type { RateState } from './rate-limit.ts';
import { createRequestLog, type LoggedRequest } from './request-log.ts';
import { DEFAULT_SETTINGS, isRecord, type Settings } from './settings.ts';
import type { Company, Person } from './world/types.ts';
import { worldOf } from './world/world.ts';

export type { Company, LoggedRequest, Person, SandboxState, Settings };
export { ACTIVE_KEYS, ConnectionReset, DEACTIVATED_KEY };

const DEFAULT_SEED = 1;

export interface DataServiceSandboxOptions {
  readonly clock: Clock;
  /** The same world for the same seed. 1 unless told. */
  readonly seed?: number | undefined;
  /** What differs from the default settings; a reset comes back to these. */
  readonly settings?: Partial<Settings> | undefined;
  /** What `state()` gave before a restart. Its balance stays; for the rest, `settings` wins. */
  readonly saved?: unknown;
}

export interface DataServiceSandbox {
  /**
   * Answers like the vendor. Rejects with `ConnectionReset` where the connection breaks, and with the signal's
   * reason when the request is aborted while it waits (the only end of a hang).
   */
  handle(request: Request): Promise<Response>;
  /** A snapshot of all that changes, for `saved`. */
  state(): SandboxState;
  /** The part of it that tests ask for after each step. */
  bill(): Bill;
  readonly world: { readonly people: readonly Person[]; readonly companies: readonly Company[] };
}

/** The data service of the spec over a generated world, with books of its own and verbs under `/_sandbox/`. */
export function createDataServiceSandbox(options: DataServiceSandboxOptions): DataServiceSandbox {
  const { clock, seed = DEFAULT_SEED } = options;
  const world = worldOf(seed);
  const initial: Settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const start = options.saved === undefined ? freshState(seed, initial) : readState(options.saved, seed);
  const books = createBooks(start.bill);
  const memory: Memory = {
    settings: { ...DEFAULT_SETTINGS, ...start.settings, ...options.settings },
    rates: start.rates,
    faultProgress: start.faultProgress,
  };
  const view = () => ({ world, nowMs: clock.now(), settings: memory.settings });
  const settings = () => ({ ...memory.settings, creditBalance: books.balance() });
  const log = createRequestLog();
  const desk = { clock, seed, view, books, memory, log };

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
      const url = new URL(request.url);
      if (!url.pathname.startsWith(CONTROL_PATH)) return serveRequest(request, url, desk);
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

/** All that changes while the stand-in runs; plain data, so that it survives a restart as JSON. */
interface SandboxState {
  readonly version: 1;
  /** Of the world that the state belongs to. */
  readonly seed: number;
  readonly settings: Settings;
  readonly bill: Bill;
  /** By API key. */
  readonly rates: Readonly<Record<string, RateState>>;
  readonly faultProgress: FaultProgress;
}

/** @param saved what `state()` once gave. @throws Error when it is something else, or of another world. */
function readState(saved: unknown, seed: number): SandboxState {
  if (!isState(saved)) throw new Error('The saved state is not one of the data service stand-in.');
  if (saved.seed === seed) return saved;
  throw new Error(`The saved state belongs to the world of seed ${saved.seed}, not ${seed}.`);
}

function isState(saved: unknown): saved is SandboxState {
  if (!isRecord(saved) || saved['version'] !== 1 || typeof saved['seed'] !== 'number') return false;
  return ['settings', 'bill', 'rates', 'faultProgress'].every((part) => isRecord(saved[part]));
}
