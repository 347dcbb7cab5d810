/** HTML text. Only `html` creates it from values, so that every value is escaped. */
export interface Html {
  readonly markup: string;
}

type Value = string | number | Html | readonly Html[] | undefined;

/**
 * Template tag that escapes every value. Use values only in text and in quoted attributes. `undefined` becomes an empty
 * text.
 */
export function html(literals: TemplateStringsArray, ...values: readonly Value[]): Html {
  const pieces = literals.map((literal, index) => literal + rendered(values[index]));
  return { markup: pieces.join('') };
}

function rendered(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
