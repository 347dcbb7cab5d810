import type { OperationData, OperationName, OperationParameters } from './types.ts';

/** `empty` never reaches the wire; `refused` says why, in the vendor's words where it has some. */
export type Checked<Value = unknown> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'empty' }
  | { readonly kind: 'refused'; readonly reason: string };

export type Rule<Value = unknown> = (given: unknown, name: string) => Checked<Value>;

/** The parameters that are left after checking: known, not empty, of a plausible form. */
export type CheckedParameters = Readonly<Record<string, unknown>>;

/** What `data` of an answer came to; undefined when it is nothing that the operation could answer. */
export interface ReadData<Data> {
  readonly data: Data;
  /** How many results were delivered. */
  readonly results: number;
}

/** One operation of the service, as data; the request path executes it. Its price is in `pricing.ts`. */
export interface Operation<Name extends OperationName> {
  readonly name: Name;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** HTTP status of a success, and `statusCode` of its body. */
  readonly successStatus: 200 | 201;
  readonly parameters: {
    readonly [parameter in keyof OperationParameters[Name]]-?: Rule<
      NonNullable<OperationParameters[Name][parameter]>
    >;
  };
  /** What is missing, in the vendor's words; undefined when nothing is. */
  readonly lacks?: (parameters: CheckedParameters) => string | undefined;
  /** @param onDrift called with each field that was dropped, relative to `data`. */
  readonly readData: (
    data: unknown,
    onDrift: (field: string) => void,
  ) => ReadData<OperationData[Name]> | undefined;
}
