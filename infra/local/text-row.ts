/** Parameters of a text: figures and names, never a person's data. */
export type TextParams = Readonly<Record<string, unknown>>;

/** A text in which `{name}` stands for a parameter, or the function that makes the text. */
export type RowWords = string | ((params: never) => string);

type Shown = string | number | readonly string[];
type NamedIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamedIn<Rest> : never;
export type ParamsIn<Text> = Text extends (params: infer P) => string
  ? P
  : Readonly<Record<NamedIn<Text>, Shown>>;

/** A row of a catalogue of texts: what is seen and what to do, one sentence each, without a period. */
export interface TextRow<P = unknown> {
  readonly seen: RowWords;
  readonly advice?: RowWords;
  /** Only for the types. */
  readonly params?: P;
}

export type ParamsOf<Row> = Row extends TextRow<infer P> ? P : never;

export function textRow<const Seen extends RowWords, const Advice extends RowWords = ''>(
  seen: Seen,
  advice?: Advice,
): TextRow<ParamsIn<Seen> & ParamsIn<Advice>> {
  return { seen, ...(advice !== undefined && { advice }) };
}

/** Puts the parameters into the text. A list is joined with commas. */
export function filled(words: RowWords, params: TextParams): string {
  if (typeof words === 'function') return words(params as never);
  return words.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The text "${words}" lacks ${name}.`);
    return Array.isArray(value) ? value.join(', ') : String(value);
  });
}

/** What is seen and what to do, as one sentence. */
export function sentenceOf<P extends TextParams>({ seen, advice }: TextRow<P>, params: P): string {
  return `${filled(seen, params)}${advice === undefined ? '' : `: ${filled(advice, params)}`}.`;
}
