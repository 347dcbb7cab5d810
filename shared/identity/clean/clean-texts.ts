import { type Cleaned, clean, unusable } from './cleaned.ts';
import { type TextKind, whyNoValue } from './placeholders.ts';
import { plainParagraphs, plainText } from './plain-text.ts';

/**
 * Cleans a text of one line, such as a title, a city or a label.
 * @param refine cleans the plain text further
 */
export function cleanText(
  text: string,
  kind: TextKind = 'other',
  refine: (plain: string) => Cleaned = clean,
): Cleaned {
  const plain = plainText(text);
  const why = whyNoValue(plain, kind);
  return why === undefined ? refine(plain) : unusable(why);
}

/** Cleans a text of several lines, such as a description. */
export function cleanParagraphs(text: string): Cleaned {
  const plain = plainParagraphs(text);
  const why = whyNoValue(plain, 'other');
  return why === undefined ? clean(plain) : unusable(why);
}

/** Cleans a city, a state or a country. */
export function cleanPlace(text: string): Cleaned {
  return cleanText(text, 'place', (plain) => (/\p{L}/u.test(plain) ? clean(plain) : unusable('malformed')));
}

export function cleanCompanyName(text: string): Cleaned {
  return cleanText(text, 'company-name');
}

/** Cleans a first name, a last name or a whole name: without pictures, courtesy titles, degrees and remarks. */
export function cleanPersonName(text: string): Cleaned {
  return cleanText(text, 'person-name', cleanBareName);
}

function cleanBareName(text: string): Cleaned {
  const name = bareName(text);
  // Some networks show the first letter alone, or cut the name.
  if (/[*…]|\.{3}/.test(name) || /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]\.?$/u.test(name))
    return unusable('masked');
  if (!/\p{L}/u.test(name) || /[@?\ufffd<>{}\\=]|\d.*\d|:\/\/|^www\./u.test(name))
    return unusable('malformed');
  if (DEGREE_ALONE.test(name)) return unusable('malformed');
  const whyBare = whyNoValue(name, 'person-name');
  return whyBare === undefined ? clean(name) : unusable(whyBare);
}

const PICTURES =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\u{1f1e6}-\u{1f1ff}\u{e0020}-\u{e007f}]|[\ufe0e\ufe0f]|\u20e3|[★☆●○◆♦■□►▶✓✔]|\u200d(?!\p{L})/gu;

/** A remark after the name: `Jane | Sales Leader`, `Jane - we are hiring`, `Jane (she/her)`. */
const REMARK = /\s*[|•].*$|\s·\s.*$|\s[-–—:]+\s.*$|\s*[([{][^)\]}]*[)\]}]?/gu;

const COURTESY =
  /^(?:(?:dr|prof|professor|mr|mrs|ms|miss|mx|herr|frau)(?:\.\s*|\s+)|(?:ing|dipl[.-]?ing)\.\s*)+(?=\p{L})/iu;

/** Degrees and certificates. After a comma any of them counts; without one, only those that are no names. */
const DEGREE =
  'ph\\.?\\s?d|m\\.?b\\.?a|e?mba|m\\.?\\s?sc|b\\.?\\s?sc|m\\.?\\s?eng|b\\.?\\s?eng|ll\\.?\\s?[mb]|md|m\\.d\\.|jd|esq|cpa|cfa|cfp|acca|' +
  'pmp|csm|cspo|pmi-acp|cissp|cisa|cism|shrm-cp|shrm-scp|phr|sphr|rn|dds|dvm|edd|dba|mph|msw|lcsw|aia|leed ap|prince2|' +
  'itil|six sigma|cscp|cfe|cma|fca|aca|fcca|gphr|pe|p\\.e\\.|dipl\\.?[ -]?(?:ing|kfm)\\.?';
const AFTER_COMMA = new RegExp(`\\s*,\\s*(?:${DEGREE})\\b.*$`, 'iu');
const DEGREE_ALONE = new RegExp(`^(?:${DEGREE})$`, 'iu');
const CERTAIN_DEGREE =
  /(?<=\p{L})\s+(?:ph\.?d|mba|m\.b\.a|msc|m\.sc|bsc|b\.sc|cpa|cfa|pmp|cissp|esq|shrm-s?cp|sphr|m\.d)\.?(?=[\s,]|$).*$/iu;

function bareName(text: string): string {
  return text
    .replace(PICTURES, ' ')
    .replace(REMARK, '')
    .replace(AFTER_COMMA, '')
    .replace(CERTAIN_DEGREE, '')
    .replace(COURTESY, '')
    .replace(/^[\s,;:/~"“”«»!+_-]+|[\s,;:/~"“”«»!+_-]+$/gu, '')
    .replace(/\s+/g, ' ');
}
