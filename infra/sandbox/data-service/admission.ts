import { type ApiError, rateLimited, unauthorized } from './errors.ts';
import { judgeArrival, type RateRule, type RateState, type RateVerdict, untouched } from './rate-limit.ts';
import type { Settings } from './settings.ts';

/** The two active keys of the workspace. */
export const ACTIVE_KEYS: readonly string[] = ['sandbox-key', 'sandbox-key-2'];
/** A key that its owner has deactivated. It is refused like an unknown key. */
export const DEACTIVATED_KEY = 'sandbox-key-old';

/** Values of the three rate headers. */
export interface RateReport extends Omit<RateVerdict, 'state' | 'isAdmitted'> {
  readonly limit: number;
}

export interface Admission {
  readonly report: RateReport;
  /** 401 or 429. */
  readonly refusal: ApiError | undefined;
}

interface AdmissionState {
  settings: Settings;
  /** Rate state by key. Each key has its own window. */
  rates: Readonly<Record<string, RateState>>;
}

/** Checks the key, then the rate. Counts the request if both pass. */
export function admit(request: Request, gate: AdmissionState, nowMs: number): Admission {
  const { rateAlgorithm: algorithm, rateLimitPerMinute: limitPerMinute } = gate.settings;
  const rule: RateRule = { algorithm, limitPerMinute };
  const key = request.headers.get('x-api-key');
  if (key === null || !ACTIVE_KEYS.includes(key)) {
    const refusal = unauthorized(key === null ? 'API key is required' : 'Invalid or missing API key');
    return { report: { limit: limitPerMinute, ...untouched(rule, nowMs) }, refusal };
  }
  const { state, isAdmitted, ...rest } = judgeArrival(gate.rates[key], rule, nowMs);
  gate.rates = { ...gate.rates, [key]: state };
  return { report: { limit: limitPerMinute, ...rest }, refusal: isAdmitted ? undefined : rateLimited() };
}
