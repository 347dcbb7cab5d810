const MAX_WORDS = 25;

/** Says what is wrong with one rendered text of a catalogue: it must be one sentence of at most 25 words, with every parameter. */
export function textFaults(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return [
    ...(words.length === 0 ? ['has no words'] : []),
    ...(words.length > MAX_WORDS ? [`has ${words.length} words, more than ${MAX_WORDS}`] : []),
    ...(/\bundefined\b|\bNaN\b|\[object|\bnull\b/.test(text) ? ['lacks a parameter'] : []),
    ...(/[.!?]\s+\p{Lu}/u.test(text) ? ['is more than one sentence'] : []),
  ].map((fault) => `${JSON.stringify(text)} ${fault}`);
}
