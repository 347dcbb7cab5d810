import type { SearchVariants } from './search-variants.ts';
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

export interface OperationInput {
  readonly query: URLSearchParams;
  /** Parsed body of a POST; `undefined` for a GET. */
  readonly body: unknown;
}

/** A request with valid parameters. */
export interface Question {
  readonly price: Price;
  /** @throws ApiError 404, which is charged by the setting `noMatchCost`. */
  answer(view: View): Answer;
}

/** Price in credits. Searches are charged by result, other operations by request. */
export interface Price {
  readonly per: 'result' | 'request';
  readonly base: number;
  /** The base price with the requested add-ons. */
  readonly full: number;
}

/** The world at one time of the stand-in's clock. */
export interface View {
  readonly world: World;
  readonly nowMs: number;
  readonly settings: SearchVariants;
}

export interface Answer {
  readonly resultCount: number;
  /** Fields of the answer besides `statusCode` and `message`. */
  readonly body: { readonly data: unknown } & Readonly<Record<string, unknown>>;
}
