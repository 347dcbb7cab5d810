/** A row of a catalogue of texts: an example of the parameters, for its test, and the text made of them. */
export function sentenceRow<Params extends object>(example: Params, text: (params: Params) => string) {
  return { example, text };
}
