/** Parameters of a text: figures and names, never a person's data. */
export type TextParams = Readonly<Record<string, unknown>>;

/** A text, or the function that makes it from its parameters. */
export type Words<P> = string | ((params: P) => string);

/** A row of a catalogue of texts: what is seen and what to do, one sentence each, without a period. */
export interface TextRow<P> {
  /** Parameters for the test of the catalogue. */
  readonly example: P;
  readonly seen: Words<P>;
  readonly advice?: Words<P> | undefined;
}

/** Parameters of a row. */
export type ParamsOf<Row> = Row extends { readonly example: infer P } ? P : never;

export const NO_PARAMS = {};

export function textRow<P extends TextParams>(example: P, seen: Words<P>, advice?: Words<P>): TextRow<P> {
  return { example, seen, ...(advice !== undefined && { advice }) };
}

export function rendered<P>(
  { seen, advice }: TextRow<P>,
  params: P,
): { readonly seen: string; readonly advice?: string } {
  const made = (words: Words<P>) => (typeof words === 'string' ? words : words(params));
  return { seen: made(seen), ...(advice !== undefined && { advice: made(advice) }) };
}

/** What is seen and what to do, as one sentence. */
export function sentenceOf<P>(row: TextRow<P>, params: P): string {
  const { seen, advice } = rendered(row, params);
  return `${seen}${advice === undefined ? '' : `: ${advice}`}.`;
}
