import { decodeHTMLStrict } from 'entities/decode';

/** A longer text of one line is no name, title or address. */
export const MAX_LINE_CHARS = 2_000;
/** HubSpot stores no longer text in a property. */
export const MAX_TEXT_CHARS = 65_536;

/**
 * Returns a text in one line, without markup, invisible characters and needless white space. A text that is too long
 * stays too long, but is cut, because some patterns need the square of its length.
 */
export function plainText(text: string): string {
  const plain = text.length > MAX_TEXT_CHARS ? text : readable(text).replace(/\s+/g, ' ').trim();
  return plain.slice(0, MAX_LINE_CHARS + 1);
}

/** Like `plainText`, but keeps line breaks and paragraphs. */
export function plainParagraphs(text: string): string {
  return readable(text)
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Texts are encoded twice when they pass two programs. */
const MAX_ENCODINGS = 3;

function readable(text: string): string {
  let decoded = text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  decoded = decoded.replace(/\\[nrt](?!\p{Ll})/gu, '\n').replace(BUILDER_PARTS, ' ');
  for (let passes = 0; passes < MAX_ENCODINGS; passes += 1) {
    const next = decodeHTMLStrict(withoutTags(decoded));
    if (next === decoded) break;
    decoded = next;
  }
  return withRepairedBytes(decoded).toWellFormed().replace(INVISIBLE, '').normalize('NFC');
}

/** Escapes of JSON that were not decoded. */
const ESCAPED = /\\u([0-9a-f]{4})/gi;

/** Marks of XML and of site builders around a text: `<![CDATA[...]]>`, `[vc_row]`. */
const BUILDER_PARTS = /<!\[CDATA\[|\]\]>|\[\/?[a-z]+_[a-z_][^[\]]*\]/g;

const BLOCKS =
  'address|article|blockquote|br|div|footer|h[1-6]|header|hr|li|ol|p|pre|section|table|td|th|tr|ul';
const INLINES =
  'a|abbr|b|big|body|button|center|cite|code|em|font|form|head|html|i|iframe|img|input|label|link|mark|meta|nav|' +
  's|small|span|strike|strong|sub|sup|svg|tbody|thead|u|video';

/** Only the names of HTML count, because a text can hold `<Acme>` or `a < b`. */
const BLOCK_TAG = new RegExp(`</?(?:${BLOCKS})(?:\\s[^<>]*)?/?>`, 'gi');
const INLINE_TAG = new RegExp(`</?(?:${INLINES})(?:\\s[^<>]*)?/?>`, 'gi');
/** What begins again before its end has none, so that a row of beginnings is read once. */
const HIDDEN_PARTS = /<!--(?:(?!<!--)[\s\S])*?-->|<(script|style)\b[^<>]*>(?:(?!<\1\b)[\s\S])*?<\/\1\s*>/gi;

function withoutTags(text: string): string {
  return text.includes('<')
    ? text.replace(HIDDEN_PARTS, ' ').replace(BLOCK_TAG, '\n').replace(INLINE_TAG, '')
    : text;
}

/**
 * Control characters except white space, characters that change the direction of the text after them, characters without
 * width except joiners inside words, private characters of icon fonts, and soft hyphens.
 */
const INVISIBLE =
  /[^\P{Cc}\n\r\t]|[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|\p{Co}/gu;

const WINDOWS_1252 = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))].map(
    (character, byte) => [character, byte],
  ),
);

/** Repairs UTF-8 that was read as Windows-1252: `MÃ¼ller` becomes `Müller`. Other texts stay as they are. */
function withRepairedBytes(text: string): string {
  if (!/[Â-ß][\u0080-¿–-™]|[à-ï]./u.test(text)) return text;
  const bytes = [...text].map((character) => WINDOWS_1252.get(character));
  if (bytes.includes(undefined)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes, (byte) => byte ?? 0));
  } catch (error) {
    if (error instanceof TypeError) return text;
    throw error;
  }
}
