/** HTML text. Only `html` creates it from values, so that every value is escaped. */
export interface Html {
  readonly markup: string;
}

type Value = string | number | Html | readonly Html[] | undefined;

/** A template tag that escapes every value, for text and for quoted attributes. `undefined` becomes an empty text. */
export function html(literals: TemplateStringsArray, ...values: readonly Value[]): Html {
  const services = literals.map((literal, index) => literal + rendered(values[index]));
  return { markup: services.join('') };
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
