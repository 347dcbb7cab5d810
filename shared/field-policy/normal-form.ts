import {
  holdsSeveral,
  membersOf,
  type PropertyDefinition,
  type PropertyDefinitions,
} from '#shared/crm/property-definition.ts';
import { foldText } from '#shared/identity/fold.ts';
import { toE164 } from '#shared/identity/phone-number.ts';
import { addressKey } from '#shared/identity/web-address.ts';
import { epochOf, toCalendarDate } from './mapping/calendar-date.ts';

/** The normal form of a property's value: two values with one normal form say the same thing. */
export type Normalise = (property: string, value: string) => string;

/**
 * Normal forms by the portal's types: phones in E.164, dates and numbers in one spelling, choices as a sorted set,
 * texts without regard to case, accents, white space, scheme and trailing slash. HubSpot rewrites phones and dates
 * when it stores them, and a person who only changes the capitals has said nothing new.
 */
export function createNormalise(definitions: PropertyDefinitions): Normalise {
  return (property, value) => {
    const definition = definitions.get(property);
    return definition === undefined ? normalText(value) : normalValue(definition, value);
  };
}

/**
 * The form in which a value is compared with what we wrote: one spelling of dates, numbers, choices and phones, which
 * HubSpot rewrites by itself; every other text to the letter.
 */
export function createExactForm(definitions: PropertyDefinitions): Normalise {
  return (property, value) => {
    const definition = definitions.get(property);
    return definition === undefined ? exactText(value) : normalValue(definition, value, exactText);
  };
}

function exactText(value: string): string {
  return value.normalize('NFC').trim();
}

function normalValue(definition: PropertyDefinition, value: string, textForm = normalText): string {
  switch (definition.type) {
    case 'number':
      return normalNumber(value);
    case 'date':
      return toCalendarDate(value) ?? textForm(value);
    case 'datetime':
      return String(epochOf(value) ?? textForm(value));
    case 'bool':
      return value.trim().toLowerCase();
    case 'enumeration':
      return holdsSeveral(definition) ? [...new Set(membersOf(value))].sort().join(';') : value.trim();
    case 'phone_number':
      return normalPhone(value);
    default:
      return definition.fieldType === 'phonenumber' ? normalPhone(value) : textForm(value);
  }
}

function normalNumber(value: string): string {
  const trimmed = value.trim();
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? String(Number(trimmed)) : foldText(value);
}

// Without a country a national number cannot be completed; its digits still ignore its punctuation.
function normalPhone(value: string): string {
  const digits = value.replace(/\D/g, '');
  return toE164(value) ?? (digits === '' ? foldText(value) : digits);
}

function normalText(value: string): string {
  if (/^\s*\+[\d\s().-]{6,}$/.test(value)) return normalPhone(value);
  return addressKey(foldText(value));
}
