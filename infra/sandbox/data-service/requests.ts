import querystring from 'node:querystring';
import { domainToASCII } from 'node:url';
import type { World } from './world/world.ts';

/** The specification's nine operations, with the names of its summary of endpoints. */
export const OPERATION_NAMES = [
  'check-api-key',
  'people-search',
  'company-search',
  'company-employee-search',
  'people-lookup',
  'people-profile',
  'company-profile',
  'reverse-email-lookup',
  'reverse-phone-lookup',
] as const;
export type OperationName = (typeof OPERATION_NAMES)[number];

export interface Operation {
  readonly name: OperationName;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly successStatus: 200 | 201;
  /**
   * Checks the parameters in the order of the specification's error table, before the lookup.
   * @throws ApiError 400
   */
  read(input: OperationInput): Question;
}

/** The parameters of a query, or the fields of a body. */
export type OperationInput = Readonly<Record<string, unknown>>;

export interface Question {
  /** In credits. `full` is the base price with the requested add-ons. */
  readonly price: { readonly per: 'result' | 'request'; readonly base: number; readonly full: number };
  /** @throws ApiError 404, which is charged by the setting `noMatchCost`. */
  answer(view: View): Answer;
}

/** The world at one time of the stand-in's clock. */
export interface View {
  readonly world: World;
  readonly nowMs: number;
  readonly settings: { readonly companyMatching: 'exact' | 'fuzzy'; readonly pageOverrun: number };
}

export interface Answer {
  readonly resultCount: number;
  /** Fields of the answer besides `statusCode` and `message`. */
  readonly body: { readonly data: unknown } & Readonly<Record<string, unknown>>;
}

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Insufficient credits',
  404: 'Not Found',
  429: 'Rate Limit Exceeded',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** An error answer of the specification's table "Errors". */
export class ApiError extends Error {
  readonly status: number;
  /** The table's third column. */
  readonly text: string;

  constructor(status: number, text: string) {
    super(text);
    this.name = 'ApiError';
    this.status = status;
    this.text = text;
  }
}

export const badRequest = (text: string) => new ApiError(400, text);
export const notFound = (text: string) => new ApiError(404, text);

export function errorBody({ status, text }: { status: number; text: string }) {
  return { statusCode: status, message: MESSAGES[status] ?? 'Error', error: text };
}

/** @returns `undefined` for an empty body. @throws ApiError 400 */
export async function readJson(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest('Request body must be valid JSON');
    throw error;
  }
}

/** Reads a trimmed parameter. A blank parameter counts as absent. */
export function readText(given: OperationInput, name: string): string | undefined {
  const value = given[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Reads `include` or `exclude`, in any case; absent means exclude. @throws ApiError 400 */
export function readSwitch(value: unknown, name: string): boolean {
  if (value === undefined || value === null || value === '') return false;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === 'include') return true;
  if (word === 'exclude') return false;
  throw badRequest(`Invalid ${name} value. Must be include or exclude`);
}

/**
 * Reads `limit` or `per_page`: 1 to 100 (specification, "Paging limits").
 * @throws ApiError 400 with the specification's text for both.
 */
export function readPageSize(value: unknown, fallback: number): number {
  const size = readWholeNumber(value, fallback);
  if (size === undefined || size < 1 || size > 100) {
    throw badRequest('Invalid limit value. Must be between 1 and 100');
  }
  return size;
}

/** Reads a `page`, which counts from 1, or an `offset`, which counts from 0. @throws ApiError 400 */
export function readPosition(value: unknown, name: 'page' | 'offset'): number {
  const minimum = name === 'page' ? 1 : 0;
  const position = readWholeNumber(value, minimum);
  if (position === undefined || position < minimum) {
    throw badRequest(`Invalid ${name} value. Must be ${minimum} or more`);
  }
  return position;
}

function readWholeNumber(value: unknown, fallback: number): number | undefined {
  if (value === undefined || value === null) return fallback;
  if (typeof value === 'string') return /^[+-]?\d{1,15}$/.test(value) ? Number(value) : undefined;
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

export interface ContactOptions {
  readonly email: boolean;
  readonly phone: boolean;
}

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Normalises a domain to lower case, without `www.` and final dot. Returns `undefined` for other texts, such as an
 * address with a path.
 */
export function readDomain(text: string): string | undefined {
  if (text.length > 260) return undefined;
  const ascii = /^[\x21-\x7e]*$/.test(text) ? text.toLowerCase() : domainToASCII(text);
  const domain = ascii.replace(/\.$/, '').replace(/^www\./, '');
  const labels = domain.split('.');
  const isDomain = labels.length >= 2 && domain.length <= 253 && labels.every((label) => LABEL.test(label));
  return isDomain && !/^\d+$/.test(labels.at(-1) ?? '') ? domain : undefined;
}

interface PageAddress {
  readonly kind: 'person' | 'company';
  /** Lower case. */
  readonly slug: string;
}

const KINDS: Readonly<Record<string, PageAddress['kind']>> = {
  in: 'person',
  company: 'company',
};

/**
 * Reads an address on the professional network, with or without scheme, `www`, language subdomain, final slash,
 * query, fragment, or a longer path.
 */
export function readPageAddress(text: string): PageAddress | undefined {
  if (text.length > 2_000) return undefined;
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null || !/^([a-z]{2,3}\.|m\.|mobile\.)?linkedin\.com$/.test(url.hostname)) return undefined;
  const [section = '', name = ''] = url.pathname.split('/').filter((part) => part !== '');
  const kind = KINDS[section.toLowerCase()];
  const slug = querystring.unescape(name).toLowerCase();
  return kind !== undefined && /^[\p{L}\p{M}\p{N}_.&'-]+$/u.test(slug) ? { kind, slug } : undefined;
}

/** Reads an email of one local part and one domain, in lower case. Returns `undefined` for other texts. */
export function readEmail(text: string): string | undefined {
  if (text.length > 320) return undefined;
  const [local = '', domain = '', ...more] = text.toLowerCase().split('@');
  const isLocal =
    local.length <= 64 && /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]+$/u.test(local) && !local.includes('..');
  const host = readDomain(domain);
  return isLocal && more.length === 0 && host !== undefined ? `${local}@${domain}` : undefined;
}

/** Reads the 7 to 15 digits of a number, with the usual punctuation. */
export function readPhone(text: string): string | undefined {
  const digits = text.replace(/\D/g, '');
  return /^[+\d(][\d\s().-]*$/.test(text) && digits.length >= 7 && digits.length <= 15 ? digits : undefined;
}
