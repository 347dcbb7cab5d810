import type { Endpoint } from './endpoints.ts';

/** A JSON object of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** @see readFields for what is no JSON object. */
  readonly body: Fields;
}

export interface Call {
  readonly method: Endpoint['method'] | 'PUT';
  /** With scheme and host. */
  readonly url: string;
  /** A query string for a GET, a JSON body otherwise; `undefined` values are left out. */
  readonly params: Fields;
  /** `null` sends no key. */
  readonly key: string | null;
}

/** One request, one answer, nothing in between. */
export async function send({ method, url, params, key }: Call): Promise<Answer> {
  const isGet = method === 'GET';
  const response = await fetch(isGet ? url + queryOf(params) : url, {
    method,
    headers: {
      ...(key === null ? {} : { 'X-API-KEY': key }),
      ...(isGet ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(isGet ? {} : { body: JSON.stringify(params) }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: readFields(JSON.parse(await response.text())),
  };
}

function queryOf(params: Fields): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) query.append(name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}

/** @throws when it is no object */
export function readFields(value: unknown): Fields {
  if (isFields(value)) return value;
  throw new Error(`Not a JSON object: ${JSON.stringify(value)?.slice(0, 200)}`);
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The one record of a lookup or profile. @throws with the answer's own words when there is none */
export function recordOf({ body }: Answer): Fields {
  if (isFields(body['data'])) return body['data'];
  throw new Error(`No record in the answer: ${JSON.stringify(body).slice(0, 200)}`);
}

/** The records of a search. @throws with the answer's own words when there are none */
export function recordsOf({ body }: Answer): Fields[] {
  if (Array.isArray(body['data'])) return body['data'].map(readFields);
  throw new Error(`No records in the answer: ${JSON.stringify(body).slice(0, 200)}`);
}

export function idsOf(answer: Answer): string[] {
  return recordsOf(answer).map((record) => textOf(record, 'id'));
}

/** @throws when there is no text under this key */
export function textOf(record: Fields, key: string): string {
  const value = record[key];
  if (typeof value === 'string') return value;
  throw new Error(`No text under ${key}: ${JSON.stringify(value)}`);
}

/** @throws when there is no number under this key */
export function numberOf(record: Fields, key: string): number {
  const value = record[key];
  if (typeof value === 'number') return value;
  throw new Error(`No number under ${key}: ${JSON.stringify(value)}`);
}

/** The list under a key; an absent one is empty. */
export function listOf(record: Fields, key: string): readonly unknown[] {
  const value = record[key] ?? [];
  if (Array.isArray(value)) return value;
  throw new Error(`No list under ${key}: ${JSON.stringify(value)}`);
}
