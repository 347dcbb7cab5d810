import * as z from 'zod';
import { MINUTE_MS, seededRandom } from '../../../shared/kernel/index.ts';
import { RATE_ALGORITHMS, type RateAlgorithm } from './rate-limit.ts';
import { badRequest, OPERATION_NAMES, type OperationName } from './requests.ts';

const FAULT_KINDS = [
  'status',
  'reset-before',
  'reset-after',
  'hang',
  'slow',
  'malformed',
  'headers-missing',
] as const;

export interface Settings {
  /** Decides which people and companies the service knows. */
  readonly worldSeed: number;
  /** Remaining credits. A change of this setting sets the balance. */
  readonly creditBalance: number;
  readonly rateLimitPerMinute: number;
  readonly rateAlgorithm: RateAlgorithm;
  /** Whether answers have the rate headers. */
  readonly rateHeaders: boolean;
  /** Delay of every answer. The vendor's average is about 3,000. */
  readonly latencyMs: number;
  /** Charge for a lookup without a match: nothing, its base price, or its price with the add-ons. */
  readonly noMatchCost: 'none' | 'base' | 'full';
  /** How a company search matches domains. `fuzzy`: domains with the same first two letters are equal. */
  readonly companyMatching: 'exact' | 'fuzzy';
  /** Charge for a search without results: nothing, or the price of one result. */
  readonly emptySearchCost: 'none' | 'base';
  /** Results that a search delivers and charges beyond the requested page. */
  readonly pageOverrun: number;
  /** Probability that a value of an answer is masked, a placeholder, zero, HTML or of another company, 0 to 1. */
  readonly untidyRate: number;
  readonly faults: readonly Fault[];
}

export const DEFAULT_SETTINGS: Settings = {
  worldSeed: 1,
  creditBalance: 100_000,
  rateLimitPerMinute: 20,
  rateAlgorithm: 'fixed',
  rateHeaders: true,
  latencyMs: 0,
  noMatchCost: 'full',
  companyMatching: 'exact',
  emptySearchCost: 'none',
  pageOverrun: 0,
  untidyRate: 0,
  faults: [],
};

const wholeNumber = (least: number, most?: number) =>
  most === undefined ? z.int().min(least) : z.int().min(least).max(most);
const share = z.number().min(0).max(1);

const FAULT = z.strictObject({
  kind: z.enum(FAULT_KINDS),
  operation: z.enum(OPERATION_NAMES).exactOptional(),
  status: wholeNumber(400, 599).exactOptional(),
  body: z.string().exactOptional(),
  rate: share.exactOptional(),
  times: wholeNumber(0).exactOptional(),
  latencyMs: wholeNumber(0).exactOptional(),
  afterWork: z.boolean().exactOptional(),
});

const SETTINGS = z
  .strictObject({
    worldSeed: wholeNumber(0),
    creditBalance: wholeNumber(0),
    rateLimitPerMinute: wholeNumber(1),
    latencyMs: wholeNumber(0),
    rateAlgorithm: z.enum(RATE_ALGORITHMS),
    rateHeaders: z.boolean(),
    noMatchCost: z.enum(['none', 'base', 'full']),
    companyMatching: z.enum(['exact', 'fuzzy']),
    emptySearchCost: z.enum(['none', 'base']),
    pageOverrun: wholeNumber(0),
    untidyRate: share,
    faults: z.array(FAULT),
  })
  .partial();

/** @throws ApiError 400 that names an unknown key, or a value of the wrong kind. */
export function readSettings(value: unknown): Partial<Settings> {
  const read = SETTINGS.safeParse(value);
  if (read.success) return read.data as Partial<Settings>;
  throw badRequest(z.prettifyError(read.error));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface Fault {
  readonly kind: (typeof FAULT_KINDS)[number];
  /** Operation with the fault. By default, all operations. */
  readonly operation?: OperationName;
  /** Status of the answer, for the kind `status`. 500 by default. */
  readonly status?: number;
  /**
   * Body of the answer, for the kind `status`. It simulates a proxy's page, without the service's headers and error.
   */
  readonly body?: string;
  /** Probability of the fault, 0 to 1. 1 by default. */
  readonly rate?: number;
  readonly times?: number;
  /** Delay for the kind `slow`, in milliseconds. Ten seconds by default. */
  readonly latencyMs?: number;
  /** Whether the request is executed and charged. By default no for `status`, and yes for `hang`. */
  readonly afterWork?: boolean;
}

export const DEFAULT_SLOWNESS_MS = MINUTE_MS / 6;

/** Number of draws, and occurrences of each fault. This state must survive a restart. */
export interface FaultProgress {
  readonly draws: number;
  readonly struck: readonly number[];
}

export const NO_PROGRESS: FaultProgress = { draws: 0, struck: [] };

export function drawFault(
  { faults, operation }: { faults: readonly Fault[]; operation: OperationName },
  progress: FaultProgress,
): { readonly fault: Fault | undefined; readonly progress: FaultProgress } {
  let { draws } = progress;
  for (const [index, fault] of faults.entries()) {
    const struckBefore = progress.struck[index] ?? 0;
    if (fault.operation !== undefined && fault.operation !== operation) continue;
    if (struckBefore >= (fault.times ?? Number.POSITIVE_INFINITY)) continue;
    draws += 1;
    if (seededRandom(1 + draws)() >= (fault.rate ?? 1)) continue;
    const struck = faults.map((_, other) => (progress.struck[other] ?? 0) + (other === index ? 1 : 0));
    return { fault, progress: { draws, struck } };
  }
  return { fault: undefined, progress: { ...progress, draws } };
}

export function strikesBeforeWork({ kind, afterWork }: Fault): boolean {
  if (kind === 'reset-before') return true;
  if (kind === 'status') return afterWork !== true;
  return kind === 'hang' && afterWork === false;
}
