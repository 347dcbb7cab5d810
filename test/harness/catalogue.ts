import { type CatalogueText, rowText } from '#shared/kernel';

const MAX_WORDS = 25;

/** Renders each text of a catalogue once, with its example, and says what is wrong. */
export function catalogueFaults(catalogue: Readonly<Record<string, CatalogueText>>): string[] {
  return Object.values(catalogue).flatMap((row) =>
    textFaults(rowText(row, (typeof row === 'string' ? {} : row.example) as never).trim()),
  );
}

/** The same for texts of several sentences. */
export function sentenceFaults(text: string): string[] {
  return text.split(/(?<=[.!?])\s+(?=\p{Lu})/u).flatMap(textFaults);
}

/**
 * Says what is wrong with one rendered text of a catalogue: it must be one sentence of at most 25 words, with every
 * parameter.
 */
export function textFaults(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return [
    ...(words.length === 0 ? ['has no words'] : []),
    ...(words.length > MAX_WORDS ? [`has ${words.length} words, more than ${MAX_WORDS}`] : []),
    ...(/\bundefined\b|\bNaN\b|\[object|\bnull\b/.test(text) ? ['lacks a parameter'] : []),
    ...(/[.!?]\s+\p{Lu}/u.test(text) ? ['is more than one sentence'] : []),
  ].map((fault) => `${JSON.stringify(text)} ${fault}`);
}
