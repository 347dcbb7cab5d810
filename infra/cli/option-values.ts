import { InvalidArgumentError, Option } from 'commander';
import type { DepartmentRange, Range } from '../../shared/data-service/types.ts';
import type { FilterOption } from './search-filters.ts';

/** The option of one filter: how it is typed, and how it is read. */
export function filterOption({ flag, kind, about }: FilterOption): Option {
  switch (kind) {
    case 'texts':
      return new Option(`--${flag} <text>`, `${about} (repeatable)`).argParser(collected(text));
    case 'range':
      return new Option(`--${flag} <min..max>`, about).argParser(range);
    case 'flag':
      return new Option(`--${flag} <yes|no>`, about).argParser(yesOrNo);
    case 'departments':
      return new Option(`--${flag} <dept=min..max>`, `${about} (repeatable)`).argParser(
        collected(departmentRange),
      );
    default:
      return kind satisfies never;
  }
}

export function text(given: string): string {
  const trimmed = given.trim();
  if (trimmed === '') throw new InvalidArgumentError('It must not be empty.');
  return trimmed;
}

/** A person's reason for an entry. The ledger is kept for good and must not name anybody. */
export function note(given: string): string {
  const trimmed = text(given);
  if (/\S@\S/.test(trimmed)) throw new InvalidArgumentError('It must not contain an email address.');
  return trimmed;
}

/** @throws InvalidArgumentError unless it is a whole number from `min` on */
export function wholeNumber(min: number): (given: string) => number {
  return (given) => {
    const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= min) return number;
    throw new InvalidArgumentError(`It must be a whole number, ${min} or more.`);
  };
}

function range(given: string): Range {
  const [, min, max] = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/.exec(given.trim()) ?? [];
  if (min !== undefined && max !== undefined && Number(min) <= Number(max)) {
    return { min: Number(min), max: Number(max) };
  }
  throw new InvalidArgumentError('It must be min..max, such as 10..50.');
}

function departmentRange(given: string): DepartmentRange {
  const split = given.lastIndexOf('=');
  const department = given.slice(0, Math.max(0, split)).trim();
  if (department !== '') return { department, range: range(given.slice(split + 1)) };
  throw new InvalidArgumentError('It must be department=min..max, such as sales=5..50.');
}

function yesOrNo(given: string): boolean {
  if (/^(?:yes|true)$/i.test(given)) return true;
  if (/^(?:no|false)$/i.test(given)) return false;
  throw new InvalidArgumentError('It must be yes or no.');
}

function collected<Value>(read: (given: string) => Value): (given: string, before?: Value[]) => Value[] {
  return (given, before = []) => [...before, read(given)];
}
