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

// The formats are marked as pure, so that a bundle contains only the formats that it uses.
const whole = /* @__PURE__ */ new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const hundredths = /* @__PURE__ */ new Intl.NumberFormat('en-GB', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const percentage = /* @__PURE__ */ new Intl.NumberFormat('en-GB', {
  style: 'percent',
  maximumFractionDigits: 0,
});

/** `12,345`, with a true minus sign. */
export function figure(number: number): string {
  return whole.format(number).replace('-', '−');
}

export function withHundredths(number: number): string {
  return hundredths.format(number);
}

/** `1 credit`, `12 credits`, `3 companies`. */
export function counted(number: number, noun: string): string {
  return `${figure(number)} ${number === 1 ? noun : pluralOf(noun)}`;
}

function pluralOf(noun: string): string {
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** `43%`, or `<1%` for a positive share that would be rounded to 0. */
export function percent(share: number): string {
  if (share > 0 && share < 0.005) return '<1%';
  return share >= 0.995 && share < 1 ? '>99%' : percentage.format(share);
}

const dayOnly = /* @__PURE__ */ new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
});
const weekdayAndDay = /* @__PURE__ */ new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});
const monthAndYear = /* @__PURE__ */ new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  month: 'long',
  year: 'numeric',
});

/** `21 Nov`. @param day `2026-11-21` */
export function shortDay(day: string): string {
  return dayOnly.format(Date.parse(`${day}T00:00:00Z`));
}

/** `21 Nov 2026`. */
export function longDay(day: string): string {
  return `${shortDay(day)} ${day.slice(0, 4)}`;
}

/** `Sat 21 Nov`. */
export function weekday(day: string): string {
  return weekdayAndDay.format(Date.parse(`${day}T00:00:00Z`));
}

/** `November 2026`. @param month `2026-11` */
export function longMonth(month: string): string {
  return monthAndYear.format(Date.parse(`${month}-01T00:00:00Z`));
}

/** `21 Nov 2026, 08:44`, in the time zone. */
export function instant(atMs: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(atMs);
}

/** A text of a catalogue: a sentence, or how it is made from its parameters. `example` is for the catalogue's test. */
export type CatalogueText = string | { readonly example: unknown; readonly text: (params: never) => string };

/** Parameters of a text of a catalogue. */
export type TextParamsOf<Row> = Row extends { text: (params: infer Params) => string }
  ? Params
  : Readonly<Record<string, never>>;

export function sentenceRow<Params extends object>(example: Params, text: (params: Params) => string) {
  return { example, text };
}

export function rowText<Row extends CatalogueText>(row: Row, params: TextParamsOf<Row>): string {
  return typeof row === 'string' ? row : row.text(params as never);
}

/** An operator's command in a text. How the command is written depends on the installation that the text is about. */
export interface OperatorCommand {
  readonly command: string;
}

/** A text for a person, which may contain commands. */
export type Wording = string | readonly (string | OperatorCommand)[];

/** @param words without the program's name and without `--stack`, such as `doubts list` */
export function command(words: string): OperatorCommand {
  return { command: words };
}

/**
 * Template tag: `wording\`Settle the doubt with ${command('doubts resolve')}.\``. A wording can contain another
 * wording.
 */
export function wording(
  texts: TemplateStringsArray,
  ...parts: readonly (Wording | OperatorCommand | number)[]
): Wording {
  return texts.flatMap((text, index) => {
    const part = parts[index];
    if (part === undefined) return [text];
    if (typeof part === 'object') return [text, ...('command' in part ? [part] : part)];
    return [text, String(part)];
  });
}

/** @param stack the stack of the installation that the text is about; absent for the installation on this machine */
export function wordingText(text: Wording, stack: string | undefined): string {
  if (typeof text === 'string') return text;
  return text.map((part) => (typeof part === 'string' ? part : commandText(part.command, stack))).join('');
}

/** Returns a command as a person types it. Without `--stack`, it would run for the installation on this machine. */
export function commandText(words: string, stack: string | undefined): string {
  return stack === undefined ? words : `${words} --stack ${stack}`;
}
