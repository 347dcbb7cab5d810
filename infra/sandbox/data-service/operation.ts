import type { SearchWhims } from './search-whims.ts';
import type { World } from './world/world.ts';

/** The spec's nine operations, named as its summary of endpoints names them. */
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
   * Checks the parameters, in the order of the spec's table of errors, before anything is looked up.
   * @throws ApiError 400
   */
  read(input: OperationInput): Question;
}

export interface OperationInput {
  readonly query: URLSearchParams;
  /** Of a POST, parsed; `undefined` for a GET. */
  readonly body: unknown;
}

/** A request whose parameters are in order. */
export interface Question {
  readonly price: Price;
  /** @throws ApiError 404, at whose cost see the setting `noMatchCost`. */
  answer(view: View): Answer;
}

/** Credits. Searches are charged for each result, all else for the request. */
export interface Price {
  readonly per: 'result' | 'request';
  readonly base: number;
  /** The base with the add-ons asked for. */
  readonly full: number;
}

/** The world as it is at one moment of the stand-in's clock. */
export interface View {
  readonly world: World;
  readonly nowMs: number;
  readonly settings: SearchWhims;
}

export interface Answer {
  readonly resultCount: number;
  /** What stands in the envelope beside `statusCode` and `message`. */
  readonly body: { readonly data: unknown } & Readonly<Record<string, unknown>>;
}
