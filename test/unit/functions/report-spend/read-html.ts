export interface HtmlTable {
  /** The name of the table in the page's source. */
  readonly id: string | undefined;
  readonly caption: string;
  /** Texts of the cells, header and total too. */
  readonly rows: readonly (readonly string[])[];
}

/** The tables of a page or a widget, as somebody reads them. */
export function tablesIn(html: string): HtmlTable[] {
  return [...html.matchAll(/<table(?: data-table="([\w-]+)")?>(.*?)<\/table>/gs)].map(
    ([, id, inner = '']) => ({
      id,
      caption: textOf(/<caption>(.*?)<\/caption>/s.exec(inner)?.[1] ?? ''),
      rows: [...inner.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
        [...row.matchAll(/<(t[hd])\b[^>]*>(.*?)<\/\1>/gs)].map(([, , cell = '']) => textOf(cell)),
      ),
    }),
  );
}

/** The rows of a table below its header; `undefined` if the page has no such table. */
export function rowsOf(html: string, id: string): HtmlTable['rows'] | undefined {
  return tablesIn(html)
    .find((table) => table.id === id)
    ?.rows.slice(1);
}

/** Text of the first element with this attribute, such as `id="doubts"`; `undefined` if there is none. */
export function textAt(html: string, attribute: string): string | undefined {
  const [, , inner] = new RegExp(`<(\\w+)\\b[^>]*\\s${attribute}[^>]*>(.*?)</\\1>`, 's').exec(html) ?? [];
  return inner === undefined ? undefined : unescaped(inner.replaceAll(/<[^>]*>/g, ' ')).trim();
}

/** The figures in that element, as a person reads them: `1,200`, `35%`. */
export function figuresAt(html: string, attribute: string): string[] | undefined {
  return textAt(html, attribute)?.match(/\d[\d,.]*\b%?/g) ?? undefined;
}

/** Addresses of all links. */
export function addressesIn(html: string): string[] {
  return [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => unescaped(href));
}

/** The link to the next part of a list, whose parameter says where it begins. */
export function nextPart(html: string, parameter: 'before' | 'after'): string | undefined {
  return addressesIn(html).find((address) =>
    new URL(address, 'http://page/spend/').searchParams.has(parameter),
  );
}

/** Addresses of the links with these words. */
export function linksTo(html: string, words: string): string[] {
  return [...html.matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/gs)]
    .filter(([, , inner = '']) => textOf(inner) === words)
    .map(([, href = '']) => unescaped(href));
}

function textOf(html: string): string {
  const visible = html.replaceAll(/<cwdb-action.*?<\/cwdb-action>/gs, '');
  return unescaped(visible.replaceAll(/<br>/g, ' ').replaceAll(/<[^>]*>/g, '')).trim();
}

function unescaped(text: string): string {
  const named = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' } as const;
  return text.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => named[entity as keyof typeof named]);
}

/** `12,345` as a number. */
export function numberIn(text = ''): number {
  return Number(text.replaceAll(',', '').replace('−', '-'));
}
