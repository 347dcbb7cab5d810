/** A text of a catalogue: a sentence, or how it is made from its parameters. `example` is for the catalogue's test. */
export type CatalogueText = string | { readonly example: unknown; readonly text: (params: never) => string };

/** Parameters of a text of a catalogue. */
export type TextParamsOf<Row> = Row extends { text: (params: infer Params) => string }
  ? Params
  : Readonly<Record<string, never>>;

export function sentenceRow<Params extends object>(example: Params, text: (params: Params) => string) {
  return { example, text };
}

export function rowText<Row extends CatalogueText>(row: Row, params: TextParamsOf<Row>): string {
  return typeof row === 'string' ? row : row.text(params as never);
}
