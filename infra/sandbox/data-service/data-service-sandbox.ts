import type { Clock } from '../../../shared/kernel/index.ts';
import { refusalOf } from '../own-pages-only.ts';
import { companyProfileRecord, EVERYTHING, personRecord } from './records.ts';
import { ApiError, badRequest, errorBody, readJson, readPosition, type View } from './requests.ts';
import {
  ACTIVE_KEYS,
  type Bill,
  emptyBill,
  type LoggedRequest,
  type ServiceMemory,
  serveRequest,
} from './serve-request.ts';
import { DEFAULT_SETTINGS, isRecord, NO_PROGRESS, readSettings, type Settings } from './settings.ts';
import { worldOf } from './world/generate.ts';
import { type Company, currentStaff, type Person } from './world/world.ts';

export type { Company, LoggedRequest, Person, Settings };
export { ACTIVE_KEYS };

export interface DataServiceSandboxOptions {
  readonly clock: Clock;
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
  bill(): Bill;
  /** The world of the seed in force. */
  readonly world: { readonly people: readonly Person[]; readonly companies: readonly Company[] };
}

/**
 * Creates the data service of the specification with a generated world, its own bill, and verbs under `/_sandbox/`.
 * Where the specification is silent, it does this:
 * - it checks key, rate, parameters, credits and record, in this order; refused requests do not count in the rate;
 * - options are charged whether the record has such a value or not. A search runs only if the balance covers one result,
 *   and is charged only if it covers all. In the employee search, a 404 counts as one result;
 * - the balance belongs to the workspace, the rate limit to each key; rate headers are on every answer;
 * - in lookups, first name and, if given, last name must agree; an email of a former job still finds its person.
 */
export function createDataServiceSandbox(options: DataServiceSandboxOptions): DataServiceSandbox {
  const { clock } = options;
  const initial: Settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const saved = options.saved === undefined ? undefined : readState(options.saved);
  const memory: ServiceMemory = {
    ...(saved?.memory ?? freshMemory(initial)),
    settings: { ...DEFAULT_SETTINGS, ...saved?.memory.settings, ...options.settings },
  };
  const log = [...(saved?.log ?? [])];
  const world = () => worldOf(memory.settings.worldSeed);
  const view = () => ({ world: world(), nowMs: clock.now(), settings: memory.settings });
  const settings = () => ({ ...memory.settings, creditBalance: memory.bill.creditBalance });
  const verbs: Readonly<Record<string, (request: Request, query: URLSearchParams) => unknown>> = {
    'GET bill': () => memory.bill,
    'GET requests': () => ({ requests: structuredClone(log) }),
    'GET records': (_, query) => ({ records: listRecords(query, view()) }),
    'GET settings': settings,
    'PUT settings': async (request) => {
      const change = readSettings(await readJson(request));
      memory.settings = { ...memory.settings, ...change };
      if (change.creditBalance !== undefined)
        memory.bill = { ...memory.bill, creditBalance: change.creditBalance };
      if (change.faults !== undefined) memory.faultProgress = { ...memory.faultProgress, struck: [] };
      return settings();
    },
    'POST reset': () => {
      Object.assign(memory, freshMemory(initial));
      log.length = 0;
      return settings();
    },
  };

  return {
    handle: async (request) => {
      const refusal = refusalOf(request, { writes: false });
      if (refusal) return refusal;
      const url = new URL(request.url);
      if (!url.pathname.startsWith(CONTROL_PATH))
        return serveRequest(request, url, { clock, view, memory, log });
      const headers = { date: new Date(clock.now()).toUTCString() };
      try {
        const verb = verbs[`${request.method} ${url.pathname.slice(CONTROL_PATH.length)}`];
        if (!verb) throw new ApiError(404, `Known verbs: ${Object.keys(verbs).join(', ')}`);
        return Response.json(await verb(request, url.searchParams), { headers });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return Response.json(errorBody(error), { status: error.status, headers });
      }
    },
    state: () =>
      structuredClone({ version: 1, ...memory, settings: settings(), log: log.slice(-MOST_SAVED) }),
    bill: () => memory.bill,
    get world() {
      return world();
    },
  };
}

/** Path of the verbs. They need no key, and count neither in the rate limit nor on the bill. */
const CONTROL_PATH = '/_sandbox/';
const DEFAULT_LIMIT = 100;

function listRecords(query: URLSearchParams, { world, nowMs }: View): unknown[] {
  const limit = query.get('limit') ?? String(DEFAULT_LIMIT);
  if (!/^\d{1,9}$/.test(limit)) throw badRequest('limit must be a whole number');
  const offset = readPosition(query.get('offset') ?? undefined, 'offset');
  const slice = <T>(all: readonly T[]) => all.slice(offset, offset + Number(limit));
  const kind = query.get('kind');
  if (kind === 'person') return slice(world.people).map((one) => personRecord(one, nowMs, EVERYTHING));
  if (kind !== 'company') throw badRequest('kind must be person or company');
  const options = { funding: true, technology: true, contacts: true };
  return slice(world.companies).map((one) =>
    companyProfileRecord(one, { staff: currentStaff(world, one, nowMs), nowMs, options }),
  );
}

function freshMemory(settings: Settings): ServiceMemory {
  return { settings, bill: emptyBill(settings.creditBalance), rates: {}, faultProgress: NO_PROGRESS };
}

/** Maximum number of logged requests in the state. It is less than in memory, because each save writes all of them. */
const MOST_SAVED = 1_000;

/** The changing state, as plain data that survives a restart as JSON. */
interface SandboxState extends Readonly<ServiceMemory> {
  readonly version: 1;
  /** The newest requests, oldest first. Absent in states of earlier versions. */
  readonly log?: readonly LoggedRequest[];
}

/** @param saved a result of `state()`. @throws Error if it is no such state. */
function readState(saved: unknown): { memory: ServiceMemory; log: readonly LoggedRequest[] } {
  if (!isState(saved)) throw new Error('The saved state is not one of the data service stand-in.');
  const { version: _, log = [], ...memory } = saved;
  return { memory, log };
}

function isState(saved: unknown): saved is SandboxState {
  if (!isRecord(saved) || saved['version'] !== 1) return false;
  if (!Array.isArray(saved['log'] ?? [])) return false;
  return ['settings', 'bill', 'rates', 'faultProgress'].every((part) => isRecord(saved[part]));
}
