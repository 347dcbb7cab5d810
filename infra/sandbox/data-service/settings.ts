import { MINUTE_MS, seededRandom } from '../../../shared/kernel/index.ts';
import { RATE_ALGORITHMS, RATE_HEADER_FORMS, type RateAlgorithm, type RateHeaderForm } from './rate-limit.ts';
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
  /** Remaining credits. A change of this setting sets the balance. */
  readonly creditBalance: number;
  readonly rateLimitPerMinute: number;
  readonly rateAlgorithm: RateAlgorithm;
  readonly rateHeaders: RateHeaderForm;
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
  creditBalance: 100_000,
  rateLimitPerMinute: 20,
  rateAlgorithm: 'fixed',
  rateHeaders: 'rounded-up',
  latencyMs: 0,
  noMatchCost: 'full',
  companyMatching: 'exact',
  emptySearchCost: 'none',
  pageOverrun: 0,
  untidyRate: 0,
  faults: [],
};

/** The allowed values, as the end of an error message. */
interface AllowedValues {
  readonly must: string;
  readonly isMet: (value: unknown) => boolean;
}

const SHARE: AllowedValues = {
  must: 'be a number between 0 and 1',
  isMet: (value) => typeof value === 'number' && value >= 0 && value <= 1,
};

const SETTINGS: Readonly<Record<keyof Settings, AllowedValues>> = {
  creditBalance: wholeNumber(0),
  rateLimitPerMinute: wholeNumber(1),
  latencyMs: wholeNumber(0),
  rateAlgorithm: oneOf(RATE_ALGORITHMS),
  rateHeaders: oneOf(RATE_HEADER_FORMS),
  noMatchCost: oneOf(['none', 'base', 'full']),
  companyMatching: oneOf(['exact', 'fuzzy']),
  emptySearchCost: oneOf(['none', 'base']),
  pageOverrun: wholeNumber(0),
  untidyRate: SHARE,
  faults: { must: 'be an array', isMet: Array.isArray },
};

const FAULT_PARTS: Readonly<Record<keyof Fault, AllowedValues>> = {
  kind: oneOf(FAULT_KINDS),
  operation: oneOf(OPERATION_NAMES),
  status: wholeNumber(400, 599),
  body: { must: 'be a text', isMet: (value) => typeof value === 'string' },
  rate: SHARE,
  times: wholeNumber(0),
  latencyMs: wholeNumber(0),
  afterWork: oneOf([true, false]),
};

/** @throws ApiError 400 that names an unknown key, or a value of the wrong kind. */
export function readSettings(value: unknown): Partial<Settings> {
  if (!isRecord(value)) throw badRequest('Settings must be a JSON object');
  const settings: Partial<Settings> = checked(value, SETTINGS);
  for (const fault of settings.faults ?? []) {
    if (!isRecord(fault) || !('kind' in fault)) throw badRequest('Each fault must be an object with a kind');
    checked(fault, FAULT_PARTS);
  }
  return settings;
}

function checked<V extends object>(value: V, forms: Readonly<Record<string, AllowedValues>>): V {
  for (const [key, part] of Object.entries(value)) {
    const form = Object.hasOwn(forms, key) ? forms[key] : undefined;
    if (!form) throw badRequest(`Unknown setting ${key}. Known settings: ${Object.keys(forms).join(', ')}`);
    if (!form.isMet(part)) throw badRequest(`${key} must ${form.must}`);
  }
  return value;
}

function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): AllowedValues {
  const isMet = (value: unknown) =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
  return { must: `be a whole number, ${least} or more and ${most} at most`, isMet };
}

function oneOf(options: readonly unknown[]): AllowedValues {
  return { must: `be one of: ${options.join(', ')}`, isMet: (value) => options.includes(value) };
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
  { faults, seed, operation }: { faults: readonly Fault[]; seed: number; operation: OperationName },
  progress: FaultProgress,
): { readonly fault: Fault | undefined; readonly progress: FaultProgress } {
  let { draws } = progress;
  for (const [index, fault] of faults.entries()) {
    const struckBefore = progress.struck[index] ?? 0;
    if (fault.operation !== undefined && fault.operation !== operation) continue;
    if (struckBefore >= (fault.times ?? Number.POSITIVE_INFINITY)) continue;
    draws += 1;
    if (seededRandom(seed + draws)() >= (fault.rate ?? 1)) continue;
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
