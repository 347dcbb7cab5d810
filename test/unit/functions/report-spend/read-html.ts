export interface HtmlTable {
  readonly caption: string;
  /** Texts of the cells, header and total too. */
  readonly rows: readonly (readonly string[])[];
}

/** The tables of a page or a widget, as somebody reads them. */
export function tablesIn(html: string): HtmlTable[] {
  return [...html.matchAll(/<table>(.*?)<\/table>/gs)].map(([, inner = '']) => ({
    caption: textOf(/<caption>(.*?)<\/caption>/s.exec(inner)?.[1] ?? ''),
    rows: [...inner.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<(t[hd])\b[^>]*>(.*?)<\/\1>/gs)].map(([, , cell = '']) => textOf(cell)),
    ),
  }));
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
