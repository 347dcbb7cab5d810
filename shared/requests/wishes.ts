import type { RecordName } from '#shared/crm';
import { assert } from '#shared/kernel';
import type { PeopleList, RequestServices, WishHandler, WishRequest } from './request-services.ts';
import type { Reply } from './schemas.ts';

/** A zod schema of what an extension is asked for. Each has another `kind`. */
export interface WishSchema<W extends { readonly kind: string } = { readonly kind: string }> {
  safeParse(value: unknown): { readonly data?: W | undefined };
}

/** What a schema of wishes describes. */
export type WishOf<S> = S extends WishSchema<infer W> ? W : never;

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
  /** Returns the list of the policy whose users may ask for it; `undefined` if every user may. */
  readonly listOf?: (wish: W) => PeopleList | undefined;
}

/** Declares what an extension carries out for a record. */
export function recordWish<W extends { readonly kind: string }>(
  schema: WishSchema<W>,
  carryOut: (services: RequestServices, wish: W, asked: AskedForRecord) => Promise<Reply>,
  parts: WishParts<W> = {},
): WishHandler {
  return handlerOf(schema, parts, (services, wish, request) => {
    assert(request.kind === 'record-wish', 'a request about a record');
    const { id, askedBy, objectType, recordId } = request;
    return carryOut(services, wish, { id, askedBy, record: { objectType, id: recordId } });
  });
}

/** Declares what an extension carries out for the installation. */
export function homeWish<W extends { readonly kind: string }>(
  schema: WishSchema<W>,
  carryOut: (services: RequestServices, wish: W, asked: AskedOnPage) => Promise<Reply>,
  parts: WishParts<W> = {},
): WishHandler {
  return handlerOf(schema, parts, carryOut);
}

function handlerOf<W extends { readonly kind: string }>(
  schema: WishSchema<W>,
  { changesHome = false, listOf }: WishParts<W>,
  carryOut: (services: RequestServices, wish: W, request: WishRequest) => Promise<Reply>,
): WishHandler {
  return (request) => {
    const { data: wish } = schema.safeParse(request.wish);
    return (
      wish && { changesHome, list: listOf?.(wish), carryOut: (services) => carryOut(services, wish, request) }
    );
  };
}
