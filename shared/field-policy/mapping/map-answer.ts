import type { PropertyDefinition, PropertyDefinitions } from '#shared/crm';
import { type AddressMisfit, countryCode, misfitOfAddress } from '#shared/identity';
import { UNUSABLE } from '#shared/vendor';
import { type AnswerPath, answerKeyOf, type FieldRule, keysOfPath } from '../field-rule.ts';
import { holdsSeveral } from '../normal-form.ts';
import { convertValue, type Misfit, misfit } from './conversion.ts';

/** A value of an answer for a property, in the property's type. A later step decides whether the value is written. */
export interface Proposal {
  readonly property: string;
  /** Never empty. A missing value makes no proposal. */
  readonly value: string;
  readonly rule: FieldRule;
  /** Set if the property has multiple choices. The proposed choices are added to the record's choices. */
  readonly appends?: boolean | undefined;
}

/** A value that is not written, with a reason for a person. */
export interface Dropped extends Misfit {
  readonly property: string;
}

export interface Mapping {
  /** At most one proposal for a property, in the order of the rules. */
  readonly proposed: Proposal[];
  readonly dropped: Dropped[];
}

/** A canonical record about a contact or a company. */
export type EnrichmentAnswer = Readonly<Record<string, unknown>>;

export interface MappingInput {
  readonly rules: readonly FieldRule[];
  readonly answer: EnrichmentAnswer;
  /** Definitions of the record's object type. */
  readonly definitions: PropertyDefinitions;
  /** ISO code of the account's currency. If it is unknown, no amounts are written. */
  readonly currency?: string | undefined;
  /** Groups of domains that belong to one employer. */
  readonly families?: readonly (readonly string[])[] | undefined;
}

/** Maps an answer to the account's properties by the policy's rules. */
export function mapAnswer({ rules, answer, definitions, currency, families }: MappingInput): Mapping {
  const mapping: Mapping = { proposed: [], dropped: [] };
  const country = countryOf(answer);
  const addressMisfit = misfitOfAddress(answer, families);
  for (const [property, rulesOfProperty] of Map.groupBy(rules, (rule) => rule.property)) {
    const target = writable(definitions.get(property));
    if (target.kind === 'obstacle') {
      if (!rulesOfProperty.every(({ optional }) => optional))
        mapping.dropped.push({ property, ...target.why });
      continue;
    }
    const { proposed, dropped } = firstValue(rulesOfProperty, {
      answer,
      definition: target.definition,
      country,
      currency,
      addressMisfit,
    });
    mapping.proposed.push(...proposed);
    mapping.dropped.push(...dropped);
  }
  return mapping;
}

interface Context {
  readonly answer: EnrichmentAnswer;
  readonly definition: PropertyDefinition;
  readonly country: string | undefined;
  readonly currency: string | undefined;
  /** Why the bought address does not fit the person. */
  readonly addressMisfit: AddressMisfit | undefined;
}

/** Uses the first rule of a property that yields a value. If no rule does, returns the first reason. */
function firstValue(rules: readonly FieldRule[], context: Context): Mapping {
  const reasons: Dropped[] = [];
  const { definition } = context;
  for (const rule of rules) {
    const { property } = rule;
    const value = valueAt(context.answer, rule.from);
    const result = convertValue({ value, convert: rule.convert, definition, country: context.country });
    if (result.kind === 'unknown') {
      const why = unusableAt(context.answer, rule.from);
      if (why !== undefined) reasons.push({ property, ...misfit('unusable', { why }) });
      continue;
    }
    const condition = conditionOf(rule, context);
    if (condition !== undefined) reasons.push({ property, ...condition });
    else if (result.kind === 'unfit') reasons.push({ property, ...result.why });
    else {
      const proposal = { property, value: result.value, rule, appends: holdsSeveral(definition) };
      return { proposed: [proposal], dropped: result.left.map((why) => ({ property, ...why })) };
    }
  }
  return { proposed: [], dropped: reasons.slice(0, 1) };
}

type Writable =
  | { readonly kind: 'writable'; readonly definition: PropertyDefinition }
  | { readonly kind: 'obstacle'; readonly why: Misfit };

function writable(definition: PropertyDefinition | undefined): Writable {
  if (definition === undefined) return { kind: 'obstacle', why: misfit('no-property', {}) };
  if (definition.readOnly) return { kind: 'obstacle', why: misfit('read-only-property', {}) };
  return { kind: 'writable', definition };
}

/** Why the rule does not apply to this answer; `undefined` if it applies. */
function conditionOf(
  { from, currency: rule }: FieldRule,
  { answer, currency, addressMisfit }: Context,
): Misfit | undefined {
  if (addressMisfit !== undefined && answerKeyOf({ from }) === 'email') return misfit(addressMisfit, {});
  if (rule === undefined) return undefined;
  const found = 'is' in rule ? rule.is : textAt(answer, rule.from)?.toUpperCase();
  if (currency === undefined) return misfit('unknown-currency', {});
  return found === currency ? undefined : misfit('other-currency', { found, currency });
}

function countryOf(answer: EnrichmentAnswer): string | undefined {
  const text =
    textAt(answer, 'countryCode') ?? textAt(answer, 'headquarters/country') ?? textAt(answer, 'country');
  return text === undefined ? undefined : countryCode(text);
}

/** Returns why the vendor's value at a path, or the object that holds it, was not usable. */
function unusableAt(answer: EnrichmentAnswer, path: AnswerPath): string | undefined {
  const keys = keysOfPath(path);
  const [object = ''] = keys;
  return textAt(answer, [UNUSABLE, keys.join('/')]) ?? textAt(answer, [UNUSABLE, object]);
}

/** Returns the value at a path of an answer; `undefined` if any key of the path is missing. */
function valueAt(answer: unknown, path: AnswerPath): unknown {
  return keysOfPath(path).reduce<unknown>((value, key) => {
    // Only own keys are read, so that a path such as "constructor" finds nothing.
    const own = typeof value === 'object' && value !== null && Object.getOwnPropertyDescriptor(value, key);
    return own ? own.value : undefined;
  }, answer);
}

/** Returns a trimmed text of the answer; `undefined` if the answer has none at the path. */
export function textAt(answer: unknown, path: AnswerPath): string | undefined {
  const value = valueAt(answer, path);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/**
 * Finds paths of an answer, such as `funding/investors`, whose values no rule uses. These values are paid for, but not
 * written. A rule with `never` counts as a use. A list is one value.
 */
export function leftoversOf(
  answer: Readonly<Record<string, unknown>>,
  rules: readonly FieldRule[],
): string[] {
  const usedPaths = rules.flatMap(pathsOf).map(nameOf);
  const { [UNUSABLE]: _, ...values } = answer;
  return leavesOf(values, []).filter(
    (path) => !usedPaths.some((one) => path === one || path.startsWith(`${one}/`)),
  );
}

/** Paths of all values in an answer. */
function leavesOf(value: unknown, path: readonly string[]): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) return [nameOf(path)];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

function pathsOf({ from, currency }: FieldRule): AnswerPath[] {
  return [from, ...(currency && 'from' in currency ? [currency.from] : [])];
}

function nameOf(path: AnswerPath): string {
  return keysOfPath(path).join('/');
}
