import * as z from 'zod';
import { CONVERSIONS, FIELD_GROUPS, type FieldRule, WRITE_MODES } from './field-rule.ts';
import { zodFault } from './policy-faults.ts';

/** Creates the schema of an object without other keys. The error message lists the known keys. */
export function closed<S extends z.core.$ZodLooseShape>(shape: S) {
  const known = `is unknown here; known are ${Object.keys(shape).join(', ')}`;
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? known : undefined),
  });
}

export const propertyName = z
  .string()
  .regex(/^[a-z0-9_]+$/, 'expected the internal name of a HubSpot property');
const pathSchema = z.union([z.string().min(1), z.array(z.string().min(1)).min(1).readonly()], {
  error: 'expected a key such as "title" or a path such as "headquarters/city"',
});

const fieldRuleSchema = closed({
  property: propertyName,
  from: pathSchema,
  convert: z.enum(CONVERSIONS),
  write: z.enum(WRITE_MODES),
  currency: z
    .union([z.strictObject({ from: pathSchema }), z.strictObject({ is: z.string().length(3) })])
    .optional(),
  group: z.enum(FIELD_GROUPS).optional(),
  shadow: z.boolean().optional(),
  optional: z.boolean().optional(),
});

const fieldRulesSchema = z.array(fieldRuleSchema).superRefine((rules, context) => {
  rules.forEach((rule, index) => {
    const first = rules.find((other) => other.property === rule.property);
    for (const key of ['write', 'shadow', 'group'] as const) {
      if (first?.[key] === rule[key]) continue;
      const fault = zodFault('different-rules', {
        property: rule.property,
        first: String(first?.[key] ?? 'nothing'),
      });
      context.addIssue({ code: 'custom', path: [index, key], ...fault });
    }
  });
});

/** Changes of defaults, by property. A property without a default needs `from`, `convert` and `write`. */
const fieldChangesSchema = z.record(propertyName, fieldRuleSchema.omit({ property: true }).partial());

/** Either an object with changes of the defaults, by property, or a list that replaces them. */
export function fieldsSchema(defaults: readonly FieldRule[]) {
  const changed = fieldChangesSchema.transform((changes, context) => {
    const rules: unknown[] = defaults.map((rule) => {
      const change = changes[rule.property];
      return change ? { ...rule, optional: undefined, ...change } : rule;
    });
    const added = Object.entries(changes).filter(
      ([name]) => !defaults.some(({ property }) => property === name),
    );
    for (const [property, change] of added) {
      const missingKeys = (['from', 'convert', 'write'] as const).filter((key) => change[key] === undefined);
      if (missingKeys.length > 0) {
        const fault = zodFault('incomplete-field', { missing: missingKeys.join(', ') });
        context.addIssue({ code: 'custom', path: [property], ...fault });
      }
      rules.push({ property, ...change });
    }
    return rules as FieldRule[];
  });
  const error = 'expected what differs from the defaults, by property, or a list of rules';
  return z.union([fieldRulesSchema, changed.pipe(fieldRulesSchema)], { error }).default([...defaults]);
}
