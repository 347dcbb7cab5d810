import type { RecordName } from '#shared/crm';
import { assert } from '#shared/kernel';
import type { PeopleList, RequestServices, WishHandler, WishRequest } from './request-services.ts';
import type { Reply } from './schemas.ts';

/** A zod schema of what an extension is asked for. Each has another `kind`. */
export interface WishSchema<W extends { readonly kind: string } = { readonly kind: string }> {
  parse(value: unknown): W;
  safeParse(value: unknown): { readonly data?: W | undefined };
}

/** Reads what a page asks of an extension. @returns `undefined` if no extension knows it, or if it is unreadable. */
export function readWish(
  schemas: readonly WishSchema[],
  body: unknown,
): { readonly kind: string } | undefined {
  for (const schema of schemas) {
    const { data } = schema.safeParse(body);
    if (data) return data;
  }
  return undefined;
}

/** The request that carries a wish. */
interface AskedOnPage {
  /** The page made the id. A repeated request has the same id. */
  readonly id: string;
  /** `user:12345` */
  readonly askedBy?: string | undefined;
}

export interface AskedForRecord extends AskedOnPage {
  readonly record: RecordName;
}

interface WishParts<W> {
  readonly changesHome?: boolean;
  readonly listOf?: (wish: W) => PeopleList | undefined;
}

/** Declares what an extension carries out for a record. */
export function recordWish<W extends { readonly kind: string }>(
  schema: WishSchema<W>,
  carryOut: (services: RequestServices, wish: W, asked: AskedForRecord) => Promise<Reply>,
  parts: WishParts<W> = {},
): WishHandler {
  return wishOf(schema, parts, (services, wish, request) => {
    assert(request.kind === 'record-wish', 'a request about a record');
    const { objectType, recordId: id } = request;
    return carryOut(services, wish, { id: request.id, askedBy: request.askedBy, record: { objectType, id } });
  });
}

/** Declares what an extension carries out for the installation. */
export function homeWish<W extends { readonly kind: string }>(
  schema: WishSchema<W>,
  carryOut: (services: RequestServices, wish: W, asked: AskedOnPage) => Promise<Reply>,
  parts: WishParts<W> = {},
): WishHandler {
  return wishOf(schema, parts, (services, wish, { id, askedBy }) =>
    carryOut(services, wish, { id, askedBy }),
  );
}

function wishOf<W extends { readonly kind: string }>(
  schema: WishSchema<W>,
  { changesHome = false, listOf }: WishParts<W>,
  carryOut: (services: RequestServices, wish: W, request: WishRequest) => Promise<Reply>,
): WishHandler {
  return {
    isFor: ({ wish }) => schema.safeParse(wish).data !== undefined,
    changesHome,
    listOf: ({ wish }) => listOf?.(schema.parse(wish)),
    carryOut: (services, request) => carryOut(services, schema.parse(request.wish), request),
  };
}
