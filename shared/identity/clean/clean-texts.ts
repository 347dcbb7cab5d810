import { type Cleaned, clean, unusable } from './cleaned.ts';
import { type TextKind, whyNoValue } from './placeholders.ts';
import { MAX_LINE_CHARS, MAX_TEXT_CHARS, plainParagraphs, plainText } from './plain-text.ts';

/**
 * Cleans a text of one line, such as a title, a city or a label.
 * @param refine cleans the plain text further
 */
export function cleanText(
  text: string,
  kind: TextKind = 'other',
  refine: (plain: string) => Cleaned = clean,
): Cleaned {
  const { value, unusable: why } = usable(plainText(text), kind);
  return value === undefined ? unusable(why ?? 'blank') : refine(value);
}

/** @returns the text without what a program left at its ends, unless it is no value before or after. */
function usable(plain: string, kind: TextKind): Cleaned {
  const why = whyNoValue(plain, kind);
  if (why !== undefined) return unusable(why);
  if (plain.length > MAX_LINE_CHARS) return clean(plain);
  const bare = plain.replace(LEFT_AT_ENDS, '').replace(/[\s,;]+$/, '');
  const whyBare = bare === plain ? undefined : whyNoValue(bare, kind);
  return whyBare === undefined ? clean(bare) : unusable(whyBare);
}

/** What a program writes for a missing part: `null, Hamburg`, `CTO at undefined`, `CTO at [Company]`, `CTO, N/A`. */
const LEFT_AT_ENDS =
  /^(?:null|undefined|NaN)[\s,]+|(?:[\s,|-]+|\s+(?:at|@)\s+)(?:null|undefined|NaN|(?<=,\s*)N\/A)$|\s+(?:(?:at|@)\s+)?(?:\[[^[\]]*\]|<(?:Company|Employer)[^<>]*>|\{\{[^{}]*\}\})$/u;

/** Cleans a job title: without pictures, bullets, quotes around it and its repetition in brackets. */
export function cleanTitle(text: string): Cleaned {
  const plain = plainText(text);
  const why = whyNoValue(plain, 'job-title');
  if (why !== undefined) return unusable(why);
  // Some lists cut long titles.
  if (/\p{L}(?:…|\.{3})$/u.test(plain)) return unusable('masked');
  return usable(withoutOrnaments(plain).replace(/^(.+) \(\1\)$/u, '$1'), 'job-title');
}

/** Removes pictures, and punctuation that stands around a text. */
function withoutOrnaments(plain: string): string {
  return plain
    .replace(PICTURES, ' ')
    .replace(/^[\s•·∙▪*–—"“„;,|/&\ufffd-]+|[\s•·∙▪*"“”;,|/&–—\ufffd-]+$/gu, '')
    .replace(/\s+/g, ' ');
}

/** Cleans a text of several lines, such as a description. */
export function cleanParagraphs(text: string): Cleaned {
  if (text.length > MAX_TEXT_CHARS) return unusable('malformed');
  const plain = plainParagraphs(text)
    .replace(SCRIPT, '')
    .replace(/(?<![*\w])\*\*(?=[^\s*])([^*]+)(?<!\s)\*\*(?!\*)/g, '$1')
    .replace(/\s*(?:…|\.{3})?\s*(?:see|read|show|view) more(?:…|\.{3})?$/i, '');
  if (plain.length <= MAX_NOTICE_CHARS && NOTICE.test(plain)) return unusable('placeholder');
  return usable(plain, 'paragraphs');
}

/** The script of a page behind its text. */
const SCRIPT = /\s*(?:window\.\w{1,99}\s*=|gtag\(|\(?function\s*\w{0,99}\([\w\s,]{0,999}\)\s*\{)[\s\S]*$/;

/** Longer texts that begin so are descriptions. */
const MAX_NOTICE_CHARS = 160;
/** Notices of servers, browsers and site builders in place of a description. */
const NOTICE =
  /^(?:lorem ipsum|just a moment|just another wordpress|(?:error )?40[34](?: error| forbidden| not found|:|$)|attention required|verify you are human|sorry, you have been blocked|javascript is |access denied|page not found|index of \/|(?:this |the )?(?:web ?site|site|domain|page) (?:is|may be) (?:parked|for sale|coming|under|currently)|(?:site |website )?under (?:construction|maintenance)|coming soon|(?:please |you need to )?enable (?:javascript|cookies)|your browser|(?:log|sign) in (?:or|to)|redirecting(?: to\b| you\b|\W*$)|buy this domain|we'll be back|welcome to nginx|we use cookies|this is a sample|this company has not|default description|(?:company )?description$|about us$|no description|click here to|add your )/i;

/** Cleans a city, a state or a country. */
export function cleanPlace(text: string): Cleaned {
  const why = whyNoValue(plainText(text), 'place');
  if (why !== undefined) return unusable(why);
  const bare = withoutOrnaments(plainText(text))
    .replace(/^location: */i, '')
    .replace(/ *\((?:remote|hybrid|on-?site|hq|headquarters)\)$/i, '');
  return cleanText(bare, 'place', (plain) => (/\p{L}/u.test(plain) ? clean(plain) : unusable('malformed')));
}

/** Cleans a city: also without a postal code before it, and without the state or the country behind it. */
export function cleanCity(text: string): Cleaned {
  const { value, unusable: why } = cleanPlace(text);
  if (value === undefined) return unusable(why ?? 'blank');
  return cleanPlace(value.replace(/^\d{4,6} /, '').replace(/,.*$/, ''));
}

export function cleanCompanyName(text: string): Cleaned {
  const plain = plainText(text);
  const why = whyNoValue(plain, 'company-name');
  if (why !== undefined) return unusable(why);
  const bare = plain
    .replace(PICTURES_OF_NAMES, ' ')
    .replace(PAGE_TITLE, '')
    .replace(AROUND_NAME, '')
    .replace(/\s+/g, ' ');
  return /\S@\S+\.\S/.test(bare) ? unusable('malformed') : usable(bare, 'company-name');
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

/** What the title of a page adds to the company's name. */
const PAGE_TITLE =
  /^(?:home(?:page)? [-|–] |welcome to )|(?:: overview)? \| linkedin$| [-|–] (?:home(?:page)?|official (?:web)?site|google search|logo)$| · (?:full|part)-time$/i;

/** Quotes around a part of the name, as in `"Nova" LLC`, belong to it. */
const AROUND_NAME = /^[\s@"“„]+(?=[^"“”„]*["“”]*$)|(?<=^["“„]*[^"“”„]*)[\s,;"“”]+$/gu;

/** Signs of trade marks belong to some names. */
const PICTURES_OF_NAMES = /(?![©®™])\p{Extended_Pictographic}|\ufe0f/gu;

const PICTURES =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\u{1f1e6}-\u{1f1ff}\u{e0020}-\u{e007f}]|[\ufe0e\ufe0f]|\u20e3|[\u25a0-\u27bf]|\u200d(?!\p{L})/gu;

/** A remark after the name: `Jane | Sales Leader`, `Jane - we are hiring`, `Jane (she/her)`. */
const REMARK =
  /^#\S+\s+|\s*[|•∙].*$|\s+["“„][^"“”„]*["”“]|\s(?:[Hh]e|[Ss]he|[Tt]hey)\s*\/\s*(?:[Hh]im|[Hh]er|[Tt]hem|[Tt]hey)\b.*$|\s(?:at|@)\s+\p{Lu}.*$|\s·\s.*$|\s[-–—:]+\s.*$|\s*[([{][^)\]}]*[)\]}]?/gu;

const COURTESY =
  /^(?:(?:dr(?:\.in)?|prof|professor|mr|mrs|ms|miss|mx|herr|frau)(?:\.\s*|\s+)|(?:(?:ing|dipl\.?[ -]?\p{L}+|dott|avv|arch|eng|lic|rev|mag|mgr|bc|sra?|capt|mme|mlle|med|univ|em|habil|h\.\s?c)\.|dott\.ssa)(?:in\b|a\b)?\s*(?:\(fh\)\s*)?)+(?=\p{L})/iu;

/** Degrees and certificates. After a comma any of them counts; without one, only those that are no names. */
const DEGREE =
  'ph\\.?\\s?d|m\\.?b\\.?a|e?mba|m\\.?\\s?sc|b\\.?\\s?sc|m\\.?\\s?eng|b\\.?\\s?eng|ll\\.?\\s?[mb]|md|m\\.d\\.|jd|esq|cpa|cfa|cfp|acca|' +
  'pmp|csm|cspo|pmi-acp|cissp|cisa|cism|shrm-cp|shrm-scp|phr|sphr|rn|dds|dvm|edd|dba|mph|msw|lcsw|aia|leed ap|prince2|' +
  'itil|six sigma|cscp|cfe|cma|fca|aca|fcca|gphr|pe|p\\.e\\.|dipl\\.?[ -]?(?:ing|kfm)\\.?';
const AFTER_COMMA = new RegExp(`\\s*,\\s*(?:${DEGREE})\\b.*$`, 'iu');
/** After a comma, capitals are letters of a degree, unless the name is written in capitals too. */
const CAPITALS_AFTER_COMMA =
  /(?<=\p{Ll})(?:\s+\p{Lu}{2,4})?\s*,\s*(?:\p{Lu}[\p{Lu}.&+-]+|(?:\p{Lu}\p{Ll}{0,3}\.){2,})(?![\p{Ll}]).*$/u;
const DEGREE_ALONE = new RegExp(`^(?:${DEGREE})$`, 'iu');
const CERTAIN_DEGREE =
  /(?<=\p{L})\s+(?:ph\.?d|mba|m\.b\.a|msc|m\.sc|bsc|b\.sc|cpa|cfa|pmp|cissp|esq|shrm-s?cp|sphr|m\.d|fcipd|mcipd|mcips|fcips|pcc|csm|cspo|facs|bsn|ceng|ieng|mimeche|frics|mrics|fcca|acca|cfp)\.?(?=[\s,]|$).*$/iu;

function bareName(text: string): string {
  return text
    .replace(PICTURES, ' ')
    .normalize('NFKC')
    .replace(REMARK, '')
    .replace(AFTER_COMMA, '')
    .replace(CAPITALS_AFTER_COMMA, '')
    .replace(CERTAIN_DEGREE, '')
    .replace(COURTESY, '')
    .replace(/^[\s,;:/~"“”«»!+_-]+|[\s,;:/~"“”«»!+_-]+$/gu, '')
    .replace(/\s+/g, ' ');
}
