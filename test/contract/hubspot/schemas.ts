import * as z from 'zod';

/**
 * HubSpot's public API, version 2026-09, as far as it is used here: restated from its documentation by hand, and shared
 * with neither the client nor the stand-in. Requests are strict, answers may hold more.
 */
export interface Shape {
  readonly name: string;
  readonly method: string;
  readonly path: RegExp;
  /** Names of query parameters. */
  readonly query: readonly string[];
  /** None: no body at all. */
  readonly body?: z.ZodType;
  /** By status. */
  readonly answers: Readonly<Record<number, z.ZodType>>;
}

const id = z.string().regex(/^\d+$/);
const name = z.string().regex(/^[a-z][a-z0-9_]*$/);
const isoTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const names = z.array(name);
/** Values go as text, and an empty one clears. */
const values = z.record(name, z.string());

const TYPE = '(?:contacts|companies)';
const objects = (rest: string) => new RegExp(`^/crm/objects/2026-09/${TYPE}/${rest}$`);
const properties = (rest: string) => new RegExp(`^/crm/properties/2026-09/${TYPE}${rest}$`);
const associations = (rest: string) =>
  new RegExp(`^/crm/associations/2026-09/${TYPE}/${TYPE}/batch/${rest}$`);

const version = z.object({
  value: z.string(),
  timestamp: isoTime,
  sourceType: z.string(),
  sourceId: z.string().optional(),
  updatedByUserId: z.number().int().optional(),
});

const record = z.object({
  id,
  properties: z.record(z.string(), z.string().nullable()),
  propertiesWithHistory: z.record(z.string(), z.array(version)).optional(),
  createdAt: isoTime,
  updatedAt: isoTime,
  archived: z.boolean(),
});

const errorDetail = z.object({
  message: z.string(),
  code: z.string().optional(),
  context: z.record(z.string(), z.array(z.string())).optional(),
});
const error = z.object({
  status: z.literal('error'),
  category: z.string(),
  message: z.string(),
  context: z.record(z.string(), z.array(z.string())).optional(),
  errors: z.array(errorDetail).optional(),
});
const refusal = error.extend({ correlationId: z.string() });

const batchOf = (result: z.ZodType) => ({
  status: z.literal('COMPLETE'),
  results: z.array(result),
  startedAt: isoTime,
  completedAt: isoTime,
});
const batchAnswers = (result: z.ZodType, status = 200) => ({
  [status]: z.object(batchOf(result)),
  207: z.object({
    ...batchOf(result),
    numErrors: z.number().int().positive(),
    errors: z.array(error).min(1),
  }),
});
/** Two inputs with one id are refused, and so are two that are alike. */
const inputsOf = (input: z.ZodType, most: number) =>
  z
    .array(input)
    .min(1)
    .max(most)
    .refine((inputs) => new Set(inputs.map(markOf)).size === inputs.length, { error: 'one comes twice' });

function markOf(input: unknown): string {
  const { success, data } = z.object({ id: z.string() }).safeParse(input);
  return success ? data.id : JSON.stringify(input);
}

const option = z.strictObject({
  label: z.string().min(1),
  value: z.string().min(1),
  description: z.string().optional(),
  displayOrder: z.number().int(),
  hidden: z.boolean(),
});
const TYPES = ['bool', 'date', 'datetime', 'enumeration', 'number', 'phone_number', 'string'];
const definition = z.object({
  name,
  label: z.string(),
  type: z.enum(TYPES),
  fieldType: z.string(),
  groupName: z.string(),
  options: z.array(option),
  hidden: z.boolean(),
  archived: z.boolean(),
  modificationMetadata: z.object({ readOnlyValue: z.boolean() }),
});
const group = { name, label: z.string().min(1), displayOrder: z.number().int() };

const filter = z.strictObject({
  propertyName: name,
  operator: z.enum([
    'EQ',
    'NEQ',
    'LT',
    'LTE',
    'GT',
    'GTE',
    'BETWEEN',
    'IN',
    'HAS_PROPERTY',
    'NOT_HAS_PROPERTY',
  ]),
  value: z.string().optional(),
  highValue: z.string().optional(),
  values: z.array(z.string()).min(1).optional(),
});
const sort = z.strictObject({ propertyName: name, direction: z.enum(['ASCENDING', 'DESCENDING']) });

const end = z.strictObject({ id });
const ends = z.strictObject({ from: end, to: end });
const association = z.object({ from: z.object({ id }), to: z.object({ id }) });

export const SHAPES: readonly Shape[] = [
  {
    name: 'batch read',
    method: 'POST',
    path: objects('batch/read'),
    query: ['archived'],
    body: z.union([
      z.strictObject({
        inputs: inputsOf(end, 100),
        properties: names,
        propertiesWithHistory: names.max(0),
      }),
      z.strictObject({ inputs: inputsOf(end, 50), properties: names, propertiesWithHistory: names.min(1) }),
    ]),
    answers: batchAnswers(record),
  },
  {
    name: 'batch update',
    method: 'POST',
    path: objects('batch/update'),
    query: [],
    body: z.strictObject({
      inputs: inputsOf(
        z.strictObject({ id, properties: values, objectWriteTraceId: z.string().min(1) }),
        100,
      ),
    }),
    answers: { ...batchAnswers(record), 400: refusal },
  },
  {
    name: 'batch create',
    method: 'POST',
    path: objects('batch/create'),
    query: [],
    body: z.strictObject({
      inputs: inputsOf(z.strictObject({ properties: values, associations: z.array(z.never()) }), 100),
    }),
    answers: { ...batchAnswers(record, 201), 400: refusal, 409: refusal },
  },
  {
    name: 'search',
    method: 'POST',
    path: objects('search'),
    query: [],
    body: z.strictObject({
      filterGroups: z.array(z.strictObject({ filters: z.array(filter).max(6) })).max(5),
      properties: names,
      sorts: z.array(sort).max(1).optional(),
      limit: z.number().int().min(1).max(200),
      after: z.string().regex(/^\d+$/).optional(),
    }),
    answers: {
      200: z.object({
        total: z.number().int(),
        results: z.array(record),
        paging: z.object({ next: z.object({ after: z.string() }) }).optional(),
      }),
    },
  },
  {
    name: 'list properties',
    method: 'GET',
    path: properties(''),
    query: ['archived'],
    answers: { 200: z.object({ results: z.array(definition) }) },
  },
  {
    name: 'create property',
    method: 'POST',
    path: properties(''),
    query: [],
    body: z.strictObject({
      name,
      label: z.string().min(1),
      groupName: name,
      type: z.enum(TYPES),
      fieldType: z.enum(['booleancheckbox', 'checkbox', 'date', 'number', 'select', 'text', 'textarea']),
      description: z.string().optional(),
      options: z.array(option).optional(),
    }),
    answers: { 201: definition, 409: refusal },
  },
  {
    name: 'change options',
    method: 'PATCH',
    path: properties('/[a-z0-9_]+'),
    query: [],
    body: z.strictObject({ options: z.array(option).min(1) }),
    answers: { 200: definition },
  },
  {
    name: 'read group',
    method: 'GET',
    path: properties('/groups/[a-z0-9_]+'),
    query: [],
    answers: { 200: z.object(group), 404: refusal },
  },
  {
    name: 'create group',
    method: 'POST',
    path: properties('/groups'),
    query: [],
    body: z.strictObject(group),
    answers: { 201: z.object(group), 409: refusal },
  },
  {
    name: 'value rules',
    method: 'GET',
    path: /^\/crm\/property-validations\/2026-09\/0-[12]$/,
    query: [],
    answers: {
      200: z.object({
        results: z.array(
          z.object({
            propertyName: name,
            propertyValidationRules: z.array(
              z.object({ ruleType: z.string(), ruleArguments: z.array(z.string()) }),
            ),
          }),
        ),
      }),
    },
  },
  {
    name: 'account details',
    method: 'GET',
    path: /^\/account-info\/2026-09\/details$/,
    query: [],
    answers: {
      200: z.object({
        portalId: z.number().int(),
        accountType: z.string(),
        timeZone: z.string(),
        companyCurrency: z.string().length(3),
        uiDomain: z.string(),
      }),
    },
  },
  {
    name: 'daily usage',
    method: 'GET',
    path: /^\/account-info\/2026-09\/api-usage\/daily\/private-apps$/,
    query: [],
    answers: {
      200: z.object({
        results: z.array(
          z.object({
            usageLimit: z.number(),
            currentUsage: z.number(),
            resetsAt: isoTime,
            collectedAt: isoTime,
          }),
        ),
      }),
    },
  },
  {
    name: 'read associations',
    method: 'POST',
    path: associations('read'),
    query: [],
    body: z.strictObject({ inputs: inputsOf(end, 1_000) }),
    answers: batchAnswers(
      z.object({ from: z.object({ id }), to: z.array(z.object({ toObjectId: z.unknown() })) }),
    ),
  },
  {
    name: 'associate',
    method: 'POST',
    path: associations('associate/default'),
    query: [],
    body: z.strictObject({ inputs: inputsOf(ends, 2_000) }),
    answers: { ...batchAnswers(association), ...batchAnswers(association, 201), 400: refusal, 404: refusal },
  },
];
