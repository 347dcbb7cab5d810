const SINGLE_LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', đ: 'd', ı: 'i' };

/** Normal form for comparing names, places and titles: lower case, without accents, single spaces. */
export function fold(text: string): string {
  const plain = ASCII.test(text) ? text.toLowerCase() : withoutAccents(text);
  return plain.replace(/\s+/g, ' ').trim();
}

/** Most names have no accents, so this short path saves noticeable time. */
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

/** Splits a compact table into words. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Splits a compact table into rows by line and cells by `|`. */
export function rows(text: string): string[][] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
}
