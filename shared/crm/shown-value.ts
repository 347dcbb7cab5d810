import { instant, longDay, utcDay } from '#shared/kernel';
import type { PropertyDefinition } from './crm-record.ts';

/**
 * Returns a value as HubSpot shows it to a person: an option by its label, a date, or yes and no.
 * @param timeZone of times. A date has none.
 */
export function shownValue(
  { type, options }: Pick<PropertyDefinition, 'type' | 'options'>,
  value: string,
  timeZone: string,
): string {
  switch (type) {
    case 'enumeration':
    case 'bool':
      return value
        .split(';')
        .map((one) => options.find((option) => option.value === one)?.label ?? YES_OR_NO[one] ?? one)
        .join(', ');
    case 'date':
    case 'datetime': {
      const atMs = /^-?\d+$/.test(value) ? Number(value) : Date.parse(value);
      if (Number.isNaN(atMs)) return value;
      return type === 'date' ? longDay(utcDay(atMs)) : instant(atMs, timeZone);
    }
    default:
      return value;
  }
}

/** For an account whose definition of a yes-or-no property has no labels. */
const YES_OR_NO: Readonly<Record<string, string>> = { true: 'Yes', false: 'No' };
