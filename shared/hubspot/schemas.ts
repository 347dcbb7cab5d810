import * as z from 'zod';
import type { HubSpotObject, HubSpotProperty, PropertyVersion } from './types.ts';

/**
 * Parses HubSpot's answers leniently. Unknown fields are skipped. All fields of errors are optional, as HubSpot
 * documents. From a list, only unreadable elements are dropped.
 */
const text = z.string().optional().catch(undefined);
const id = z.union([z.string().min(1), z.number().int()]).transform(String);
const flag = z.boolean().catch(false);
const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);

/** Parses an array and drops unreadable elements. Any other value becomes an empty array. */
function each<Item extends z.ZodType>(item: Item) {
  return required(item).catch([]);
}

/** Parses an array and drops unreadable elements. Any other value makes the whole answer unreadable. */
function required<Item extends z.ZodType>(item: Item) {
  return z.array(z.unknown()).transform((values) =>
    values.flatMap((value) => {
      const parsed = item.safeParse(value);
      return parsed.success ? [parsed.data] : [];
    }),
  );
}

/** Converts an ISO date-time or digits to epoch milliseconds; 0 if the value is unreadable. */
const time = scalar
  .transform((value) => (/^\d+$/.test(value) ? Number(value) : Date.parse(value)))
  .catch(Number.NaN)
  .transform((ms) => (Number.isFinite(ms) ? ms : 0));

const PropertyVersionSchema = z
  .object({
    value: scalar.catch(''),
    timestamp: time,
    sourceType: z.string().catch(''),
    sourceId: scalar.optional().catch(undefined),
  })
  .transform(({ timestamp, ...version }): PropertyVersion => ({ ...version, timestampMs: timestamp }));

const HistorySchema = z
  .record(
    z.string(),
    each(PropertyVersionSchema).transform((list) => list.toSorted((a, b) => b.timestampMs - a.timestampMs)),
  )
  .optional()
  .catch(undefined);

/** Values of an unexpected type are left out, as if the property were unknown. */
const PropertiesSchema = z
  .record(z.string(), z.union([scalar, z.null()]).optional().catch(undefined))
  .catch({})
  .transform((properties) =>
    Object.fromEntries(
      Object.entries(properties).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  );

const HubSpotObjectSchema = z
  .object({
    id,
    properties: PropertiesSchema,
    createdAt: time,
    updatedAt: time,
    propertiesWithHistory: HistorySchema,
  })
  .transform(
    ({ createdAt, updatedAt, propertiesWithHistory, ...object }): HubSpotObject => ({
      ...object,
      createdAtMs: createdAt,
      updatedAtMs: updatedAt,
      mergedIds: (object.properties['hs_merged_object_ids'] ?? '').split(';').filter((part) => part !== ''),
      ...(propertiesWithHistory === undefined ? {} : { history: propertiesWithHistory }),
    }),
  );

/** The values of an error context are lists or single strings. */
const ContextSchema = z
  .record(
    z.string(),
    z
      .union([z.array(scalar), scalar.transform((value) => [value])])
      .optional()
      .catch(undefined),
  )
  .catch({});

const ErrorDetailSchema = z.object({
  category: text,
  subCategory: text,
  code: text,
  message: text,
  correlationId: text,
  context: ContextSchema,
});

/** The error of a whole answer, or one element of the `errors` of a 207. */
export const ErrorSchema = ErrorDetailSchema.extend({
  policyName: text,
  errorType: text,
  errors: each(ErrorDetailSchema),
});
export type HubSpotErrorBody = z.infer<typeof ErrorSchema>;

export const BatchAnswerSchema = z
  .object({ results: z.array(z.unknown()), errors: each(ErrorSchema) })
  .transform(({ results, errors }) => {
    const readable = each(HubSpotObjectSchema).parse(results);
    // Unreadable records are counted, so that they do not count as missing.
    return { results: readable, errors, unreadable: results.length - readable.length };
  });

export const SearchAnswerSchema = z.object({
  total: z.number().int().catch(0),
  results: required(HubSpotObjectSchema),
  paging: z
    .object({ next: z.object({ after: scalar }) })
    .optional()
    .catch(undefined),
});

const EndSchema = z.object({ id });

/** Associations of records. */
export const AssociationsAnswerSchema = z.object({
  results: required(z.object({ from: EndSchema, to: each(z.unknown()) })),
});

/** Created associations. Each pair is usually listed in both directions. */
export const AssociatedAnswerSchema = z.object({
  results: required(z.object({ from: EndSchema, to: EndSchema })),
  errors: each(ErrorSchema),
});

const OptionSchema = z.object({
  label: scalar.catch(''),
  value: scalar,
  description: text,
  displayOrder: z.number().int().optional().catch(undefined),
  hidden: flag,
});

const PropertySchema = z
  .object({
    name: z.string(),
    label: z.string().catch(''),
    type: z.string(),
    fieldType: z.string().catch(''),
    description: text,
    options: each(OptionSchema),
    calculated: flag,
    archived: flag,
    modificationMetadata: z.object({ readOnlyValue: flag }).optional().catch(undefined),
  })
  .transform(
    ({ calculated, modificationMetadata, ...property }): HubSpotProperty => ({
      ...property,
      readOnly: calculated || modificationMetadata?.readOnlyValue === true,
    }),
  );

export const PropertyListSchema = z.object({ results: required(PropertySchema) });

export const AccountDetailsSchema = z.object({
  portalId: id,
  timeZone: z.string(),
  companyCurrency: z.string().optional(),
});

/** A JSON list of faulty properties, which HubSpot sometimes puts into `message`. */
export const MessageDetailsSchema = each(
  z.object({ name: text, error: text, code: text }).transform(({ name, error, code }) => ({
    property: name,
    code: error ?? code,
  })),
);
