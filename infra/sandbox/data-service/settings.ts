import { badRequest } from './errors.ts';
import { FAULT_KINDS, type Fault, type FaultKind } from './faults.ts';
import { isOperationName, OPERATION_NAMES, type OperationName } from './operation.ts';
import { RATE_ALGORITHMS, type RateAlgorithm } from './rate-limit.ts';

export const NO_MATCH_COSTS = ['none', 'base', 'full'] as const;
export type NoMatchCost = (typeof NO_MATCH_COSTS)[number];

export interface Settings {
  /** What is left; setting it sets the balance. */
  readonly creditBalance: number;
  readonly rateLimitPerMinute: number;
  readonly rateAlgorithm: RateAlgorithm;
  /** Added to every answer. The vendor's own average is about 3,000. */
  readonly latencyMs: number;
  /** What a lookup without a match is charged: nothing, its base price, or its price with the add-ons. */
  readonly noMatchCost: NoMatchCost;
  readonly faults: readonly Fault[];
}

export const DEFAULT_SETTINGS: Settings = {
  creditBalance: 100_000,
  rateLimitPerMinute: 20,
  rateAlgorithm: 'fixed',
  latencyMs: 0,
  noMatchCost: 'full',
  faults: [],
};

/** @throws ApiError 400 that names what is wrong: an unknown key, or a value of the wrong kind. */
export function readSettings(value: unknown): Partial<Settings> {
  if (!isRecord(value)) throw badRequest('Settings must be a JSON object');
  return Object.assign({}, ...Object.entries(value).map(([key, one]) => readSetting(key, one)));
}

function readSetting(key: string, value: unknown): Partial<Settings> {
  switch (key) {
    case 'creditBalance':
      return { creditBalance: readInteger(key, value, 0) };
    case 'rateLimitPerMinute':
      return { rateLimitPerMinute: readInteger(key, value, 1) };
    case 'latencyMs':
      return { latencyMs: readInteger(key, value, 0) };
    case 'rateAlgorithm':
      return { rateAlgorithm: readOneOf(key, value, RATE_ALGORITHMS) };
    case 'noMatchCost':
      return { noMatchCost: readOneOf(key, value, NO_MATCH_COSTS) };
    case 'faults':
      return { faults: readFaults(value) };
    default:
      throw badRequest(`Unknown setting ${key}. There are: ${Object.keys(DEFAULT_SETTINGS).join(', ')}`);
  }
}

function readFaults(value: unknown): Fault[] {
  if (!Array.isArray(value)) throw badRequest('faults must be an array');
  return value.map((one: unknown) => {
    if (!isRecord(one)) throw badRequest('Each fault must be an object with a kind');
    const kind: FaultKind = readOneOf('kind of a fault', one['kind'], FAULT_KINDS);
    const others = Object.entries(one).filter(([key]) => key !== 'kind');
    return Object.assign({ kind }, ...others.map(([key, part]) => readFaultPart(key, part)));
  });
}

function readFaultPart(key: string, value: unknown): Partial<Fault> {
  switch (key) {
    case 'operation':
      return { operation: readOperation(value) };
    case 'status':
      return { status: readStatus(value) };
    case 'rate':
      return { rate: readShare(value) };
    case 'times':
      return { times: readInteger('times of a fault', value, 0) };
    case 'latencyMs':
      return { latencyMs: readInteger('latencyMs of a fault', value, 0) };
    case 'afterWork':
      if (typeof value === 'boolean') return { afterWork: value };
      throw badRequest('afterWork of a fault must be true or false');
    default:
      throw badRequest(`Unknown part ${key} of a fault`);
  }
}

function readOperation(value: unknown): OperationName {
  if (typeof value === 'string' && isOperationName(value)) return value;
  throw badRequest(`operation of a fault must be one of: ${OPERATION_NAMES.join(', ')}`);
}

function readStatus(value: unknown): number {
  const status = readInteger('status of a fault', value, 400);
  if (status <= 599) return status;
  throw badRequest('status of a fault must be between 400 and 599');
}

function readShare(value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw badRequest('rate of a fault must be a number between 0 and 1');
}

function readInteger(name: string, value: unknown, minimum: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum) return value;
  throw badRequest(`${name} must be a whole number, ${minimum} or more`);
}

function readOneOf<T extends string>(name: string, value: unknown, options: readonly T[]): T {
  const found = options.find((option) => option === value);
  if (found !== undefined) return found;
  throw badRequest(`${name} must be one of: ${options.join(', ')}`);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
