/**
 * Characters that control a terminal or reorder text: control characters except tab and line feed, line and paragraph
 * separators, marks of writing direction. Joiners are not among them, because names and emoji need them.
 */
const UNSAFE =
  /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\u{61c}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{feff}]/gu;

/** Replaces unsafe characters by spaces, so that data cannot control the terminal that shows it. */
export function printable(text: string): string {
  return text.replace(UNSAFE, ' ');
}

/** Formats JSON with unsafe characters escaped. So nothing is lost. */
export function printableJson(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2).replace(UNSAFE, escaped);
}
