/** Text that is HTML already. Only `html` makes it of values, so that none gets in unescaped. */
export interface Html {
  readonly markup: string;
}

type Value = string | number | Html | readonly Html[] | undefined;

/** Tag of a template: every value is escaped, for text and for quoted attributes alike; `undefined` is nothing. */
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
