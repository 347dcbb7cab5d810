import { type CommanderError, InvalidArgumentError } from 'commander';
import { toCalendarDate } from '#shared/field-policy';
import { type ParamsOf, sentenceOf, type TextParams, type TextRow, textRow } from '../../text-row.ts';
import { CliError, EXIT } from './exit.ts';

/** Why an argument is refused, by code. `option` is a flag such as `--max`, or an argument such as `<address>`. */
export const ARGUMENT_REFUSALS = {
  'empty-text': textRow('{option} must not be empty'),
  'address-in-note': textRow('{option} must not contain an email address'),
  'not-a-day': textRow('{option} must be a day such as 2027-03-31'),
  'not-a-month': textRow('{option} must be a month such as 2026-11'),
  'not-a-moment': textRow('{option} must be a day (UTC) or a time such as 2026-11-21T10:00Z'),
  'not-a-number': textRow('{option} must be a whole number, {min} or more'),
  'too-large': textRow('{option} must be {max} or less'),
  'not-a-percentage': textRow('{option} must be a whole number from 0 to 100'),
  'not-a-port': textRow('{option} must be a port from 1 to 65535'),
  'not-a-range': textRow('{option} must be min..max, such as 10..50'),
  'not-a-department-range': textRow('{option} must be department=min..max, such as sales=5..50'),
  'not-yes-or-no': textRow('{option} must be yes or no'),
  'not-a-filter': textRow('{option} must be like lifecyclestage=lead'),
  'not-a-domain': textRow('{option} must be a domain such as acme.example'),
  'one-of-two': textRow('Add either {option} or {other}'),
  'only-with': textRow('Use {option} only with {other}'),
  'only-without': textRow('Use {option} without {other}'),
  'day-past': textRow('{option} {day} is past, so these credits can no longer be spent; nothing was booked'),
  'ambiguous-start': textRow('{option} fits {doubts} doubts: give more letters'),
  'unreadable-file': textRow('{option} {path} cannot be read: check that the file exists'),
  'no-entries': textRow('{option} {path} has no entry, so there is nothing to verify'),
  'not-a-statement': textRow('{option} {path} is no statement in JSON'),
  'unknown-choice': textRow('{option} must be one of these: {choices}'),
  'identifies-nobody': textRow('{option} identifies no person or company: {why}'),
  /** The reason is in the data service's own words. */
  'refused-by-service': textRow('{option}: {reason}'),
  'nothing-to-probe': textRow(
    'Give {option} to run lookups, or --miss-charged and --empty-search-charged to record prices',
  ),
  'policy-of-stack': textRow('A stack has a policy of its own: leave out {option}, or deploy with another'),
};

type RefusalCode = keyof typeof ARGUMENT_REFUSALS;
type RefusalParams<Code extends RefusalCode> = ParamsOf<(typeof ARGUMENT_REFUSALS)[Code]>;

/** @returns the error of an argument that cannot be used. It ends the command before anything is spent. */
export function argumentRefusal<Code extends RefusalCode>(code: Code, params: RefusalParams<Code>): CliError {
  const message = sentenceOf(ARGUMENT_REFUSALS[code] as TextRow<TextParams>, params);
  return new CliError(code, message, { exit: EXIT.usage, params });
}

/** Thrown by the parser of a value, which does not know the name of its option. */
export class RefusedValue<Code extends RefusalCode = RefusalCode> extends InvalidArgumentError {
  readonly named: (option: string) => CliError;

  constructor(code: Code, params: Omit<RefusalParams<Code>, 'option'>) {
    const named = (option: string) =>
      argumentRefusal(code, { ...params, option } as unknown as RefusalParams<Code>);
    super(named('It').message);
    this.named = named;
  }
}

/** What an option and an argument of commander have in common. */
interface Parsed {
  parseArg?: unknown;
  readonly argChoices?: readonly string[] | undefined;
}

export function nameRefusals(target: Parsed, option: string): void {
  const { parseArg: parse, argChoices } = target;
  if (typeof parse !== 'function') return;
  target.parseArg = (given: string, before: unknown): unknown => {
    try {
      return parse(given, before);
    } catch (error) {
      if (error instanceof RefusedValue) throw error.named(option);
      if (error instanceof InvalidArgumentError && argChoices)
        throw argumentRefusal('unknown-choice', { option, choices: argChoices.join(', ') });
      throw error;
    }
  };
}

/** Commander's own codes that say which mistake was made. It prints these errors itself, in its own words. */
const PARSING: Readonly<Record<string, string>> = {
  'commander.unknownOption': 'unknown-option',
  'commander.unknownCommand': 'unknown-command',
  'commander.help': 'missing-command',
  'commander.missingArgument': 'missing-argument',
  'commander.optionMissingArgument': 'missing-value',
  'commander.missingMandatoryOptionValue': 'missing-option',
  'commander.conflictingOption': 'conflicting-options',
  'commander.excessArguments': 'too-many-arguments',
};

export function parsingError({ code, message }: CommanderError): CliError {
  // Commander quotes the flag or the argument first. A flag can be typed with a value.
  const [, option] = /'([^' =]+)/.exec(message) ?? [];
  const params = option === undefined ? undefined : { option };
  return new CliError(PARSING[code] ?? 'usage', message.replace(/^error: /, ''), {
    exit: EXIT.usage,
    params,
  });
}

/**
 * The reader of an option's value. Spaces around the value are ignored.
 * @param read `undefined` refuses the value
 */
function reading<Value, Code extends RefusalCode>(
  code: Code,
  read: (given: string) => Value | undefined,
  params = {} as Omit<RefusalParams<Code>, 'option'>,
): (given: string) => Value {
  return (given) => {
    const value = read(given.trim());
    if (value === undefined) throw new RefusedValue(code, params);
    return value;
  };
}

export const text = reading('empty-text', (given) => given || undefined);

/** Parses a person's reason for an entry. The ledger is permanent and must have no personal data. */
export const noteText = reading('address-in-note', (given) =>
  /\S@\S/.test(given) ? undefined : text(given),
);

/** A day such as 2027-03-31. */
export const calendarDay = reading('not-a-day', (given) =>
  /^\d{4}-\d{2}-\d{2}$/.test(given) && toCalendarDate(given) === given ? given : undefined,
);

/** A month such as 2026-11. */
export const calendarMonth = reading('not-a-month', (given) =>
  /^\d{4}-(0[1-9]|1[0-2])$/.test(given) ? given : undefined,
);

/** A whole number from `min` on. */
export function wholeNumber(min: number): (given: string) => number {
  return reading('not-a-number', (given) => numberIn(given, min, Number.MAX_SAFE_INTEGER), { min });
}

/** A share, 0 to 1, typed as a whole percentage. */
export const percentage = reading('not-a-percentage', (given) => {
  const number = numberIn(given, 0, 100);
  return number === undefined ? undefined : number / 100;
});

export const portNumber = reading('not-a-port', (given) => numberIn(given, 1, 65_535));

function numberIn(given: string, min: number, max: number): number | undefined {
  const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  return number >= min && number <= max ? number : undefined;
}

/** A day, or a time with its zone, as epoch milliseconds. */
export const moment = reading('not-a-moment', (given) =>
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/.test(given)
    ? finite(Date.parse(given))
    : undefined,
);

function finite(ms: number): number | undefined {
  return Number.isFinite(ms) ? ms : undefined;
}

export const yesOrNo = reading('not-yes-or-no', (given) => {
  if (/^(?:yes|true)$/i.test(given)) return true;
  return /^(?:no|false)$/i.test(given) ? false : undefined;
});

/** A range such as 10..50. */
export const numberRange = reading('not-a-range', (given) => {
  const [, min, max] = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/.exec(given) ?? [];
  if (min === undefined || max === undefined || Number(min) > Number(max)) return undefined;
  return { min: Number(min), max: Number(max) };
});

/** A range of a department, such as sales=5..50. */
export const departmentRange = reading('not-a-department-range', (given) => {
  const split = given.lastIndexOf('=');
  const department = given.slice(0, Math.max(0, split)).trim();
  return department === '' ? undefined : { department, range: numberRange(given.slice(split + 1)) };
});

/** A condition on a property, such as lifecyclestage=lead. */
export const propertyFilter = reading('not-a-filter', (given) => {
  const [, property, value] = /^([a-z0-9_]+)=(.+)$/.exec(given) ?? [];
  return property === undefined || value === undefined ? undefined : { property, value };
});

/** The value of a repeatable option. */
export function repeated<Value>(read: (given: string) => Value) {
  return (given: string, before: readonly Value[] = []): readonly Value[] => [...before, read(given)];
}
