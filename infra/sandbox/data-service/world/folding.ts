const SINGLE_LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', đ: 'd', ı: 'i' };

/** Lower case, without accents, single spaces: how names, places and titles are compared. */
export function fold(text: string): string {
  const plain = ASCII.test(text) ? text.toLowerCase() : withoutAccents(text);
  return plain.replace(/\s+/g, ' ').trim();
}

/** Most names of a world have no accents: leaving the long way out makes it noticeably sooner. */
const ASCII = /^[ -~]*$/;

function withoutAccents(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßłøæđı]/g, (letter) => SINGLE_LETTERS[letter] ?? letter);
}

/** Letters and digits joined by hyphens, for domains and addresses of pages. */
export function slug(text: string): string {
  return fold(text)
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')
    .join('-');
}

/** A compact table's words. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** A compact table's rows and cells: rows by line, cells by `|`. */
export function rows(text: string): string[][] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
}
