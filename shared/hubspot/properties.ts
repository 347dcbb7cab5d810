import type { PropertyCreate } from '@hubspot/api-client/lib/codegen/crm/properties/models/PropertyCreate.js';
import { errorIn, readAnswer, requestIdOf, toBatchError } from './failures.ts';
import { dated, groupRequests, propertyRequests } from './records.ts';
import { PropertyListSchema } from './schemas.ts';
import type { Exchange } from './transport.ts';
import type {
  EnsuredProperties,
  EnsureRequest,
  HubSpotObjectType,
  HubSpotProperty,
  PropertyConflict,
  PropertyOption,
  PropertySpec,
} from './types.ts';

export async function listProperties(
  exchange: Exchange,
  objectType: HubSpotObjectType,
  { archived = false }: { readonly archived?: boolean } = {},
): Promise<readonly HubSpotProperty[]> {
  const request = await dated(propertyRequests.getAll(objectType, archived));
  return readAnswer(await exchange(request), PropertyListSchema).results;
}

/** Replaces the description of a property. */
export async function describeProperty(
  exchange: Exchange,
  objectType: HubSpotObjectType,
  { name, description }: { readonly name: string; readonly description: string },
): Promise<void> {
  await exchange(await dated(propertyRequests.update(objectType, name, { description })));
}

/**
 * Creates the group and the properties. Safe to repeat. If an archived property has the same name, a creation restores
 * it. So the creation is only sent if the archived property has the wanted type. Existing and restored properties are
 * then compared. Missing options are added, no option is removed, and nothing else changes.
 */
export async function ensureProperties(
  exchange: Exchange,
  request: EnsureRequest,
): Promise<EnsuredProperties> {
  const found = byName(await listProperties(exchange, request.objectType));
  const groupCreated = await ensureGroup(exchange, request);
  const report = { groupCreated, created: [], revived: [], optionsAdded: [], unchanged: [], conflicts: [] };
  const work: Work = { exchange, request, found, report };
  await createMissing(work);
  const conflicting = new Set(work.report.conflicts.map(({ name }) => name));
  for (const spec of request.properties) if (!conflicting.has(spec.name)) await compare(work, spec);
  return report;
}

interface Work {
  readonly exchange: Exchange;
  readonly request: EnsureRequest;
  /** Existing properties by name, including archived properties that will be restored. */
  readonly found: Map<string, HubSpotProperty>;
  readonly report: {
    readonly created: string[];
    readonly revived: string[];
    readonly optionsAdded: string[];
    readonly unchanged: string[];
    readonly conflicts: PropertyConflict[];
  };
}

/**
 * Creates the group if it does not exist. So an app without the right to create groups can run this if the group
 * exists.
 */
async function ensureGroup(
  exchange: Exchange,
  { objectType, group, dryRun }: EnsureRequest,
): Promise<boolean> {
  const reading = await dated(groupRequests.getByName(objectType, group.name));
  const existing = await exchange({ ...reading, accept: [404] });
  if (existing.status !== 404 || dryRun) return existing.status === 404;
  // -1 places the group after the groups that the portal has ordered.
  const creation = await dated(groupRequests.create(objectType, { ...group, displayOrder: -1 }));
  return (await exchange({ ...creation, accept: [409] })).status !== 409;
}

async function createMissing(work: Work): Promise<void> {
  const { exchange, request, found, report } = work;
  const { objectType, dryRun } = request;
  const missing = request.properties.filter(({ name }) => !found.has(name));
  if (missing.length === 0) return;
  const archived = byName(await listProperties(exchange, objectType, { archived: true }));
  for (const spec of missing) {
    const { name } = spec;
    const old = archived.get(name);
    const conflict = old && conflictOf(spec, old);
    if (conflict) {
      const reason = `${conflict.reason}; it is archived, and its creation would restore the old property`;
      report.conflicts.push({ name, ...conflict, reason });
      continue;
    }
    const outcome = dryRun ? 'created' : await createProperty(work, spec);
    if (outcome === 'created') (old ? report.revived : report.created).push(name);
    if (typeof outcome === 'object') report.conflicts.push({ name, ...outcome });
    if (dryRun && old) found.set(name, old);
  }
  if (dryRun) return;
  // The properties are read again, because a restored property keeps its old type and options.
  for (const property of await listProperties(exchange, objectType)) found.set(property.name, property);
}

/**
 * Creates a single property. A set-up needs only about ten, and each gets its own status: 201 (also for an archived
 * property, which is restored unchanged), 409 or 400. A batch would answer 207 for all.
 */
async function createProperty(
  { exchange, request: { objectType, group } }: Work,
  spec: PropertySpec,
): Promise<'created' | 'exists' | Conflict> {
  const body = { ...spec, groupName: group.name, options: toOptionInputs(optionsOf(spec)) };
  // The generated type has enums, which accept no plain text.
  const creation = await dated(propertyRequests.create(objectType, body as PropertyCreate));
  const response = await exchange({ ...creation, accept: [400, 409] });
  if (response.status === 409) return 'exists';
  if (response.status !== 400) return 'created';
  const error = errorIn(response);
  const why = toBatchError(error, requestIdOf(response, error)).reason;
  return { code: 'refused', params: { why }, reason: `HubSpot refuses it: ${why}` };
}

/** Without a special parameter, HubSpot does not list sensitive properties. */
const NOT_LISTED = 'HubSpot reports that it exists, but does not list it; it may be marked as sensitive';

async function compare({ exchange, request, found, report }: Work, spec: PropertySpec): Promise<void> {
  const { objectType, dryRun } = request;
  const { name } = spec;
  const existing = found.get(name);
  if (!existing && dryRun) return;
  const conflict = existing
    ? conflictOf(spec, existing)
    : ({ code: 'not-listed', reason: NOT_LISTED } as const);
  if (conflict || !existing) {
    if (conflict) report.conflicts.push({ name, ...conflict });
    return;
  }
  const missingOptions = findMissingOptions(spec, existing);
  if (missingOptions.length > 0) {
    // HubSpot replaces all options.
    const options = toOptionInputs([...existing.options, ...missingOptions]);
    const change = await dated(propertyRequests.update(objectType, name, { options }));
    if (!dryRun) await exchange({ ...change, once: true });
    report.optionsAdded.push(name);
  } else if (![...report.created, ...report.revived].includes(name)) report.unchanged.push(name);
}

type Conflict = Omit<PropertyConflict, 'name'>;

function conflictOf(spec: PropertySpec, { type, readOnly }: HubSpotProperty): Conflict | undefined {
  if (type !== spec.type) {
    const reason = `it exists with the type ${type} instead of ${spec.type}`;
    return { code: 'other-type', params: { type, wanted: spec.type }, reason };
  }
  return readOnly ? { code: 'read-only', reason: 'it exists and is read-only' } : undefined;
}

function findMissingOptions(spec: PropertySpec, existing: HubSpotProperty): readonly PropertyOption[] {
  const existingValues = new Set(existing.options.map(({ value }) => value));
  const lastOrder = Math.max(-1, ...existing.options.map(({ displayOrder }) => displayOrder ?? -1));
  return optionsOf(spec)
    .filter(({ value }) => !existingValues.has(value))
    .map((option, index) => ({ ...option, displayOrder: lastOrder + 1 + index }));
}

/** Returns the options of a property. HubSpot requires two options for a boolean. */
function optionsOf({ type, options = [] }: PropertySpec): readonly PropertyOption[] {
  if (type !== 'bool') return options;
  return [
    { label: 'Yes', value: 'true' },
    { label: 'No', value: 'false' },
  ];
}

function toOptionInputs(options: readonly PropertyOption[]) {
  return options.map(({ displayOrder, hidden = false, description, ...option }, index) => ({
    ...option,
    displayOrder: displayOrder ?? index,
    hidden,
    ...(description !== undefined && { description }),
  }));
}

function byName(properties: readonly HubSpotProperty[]): Map<string, HubSpotProperty> {
  return new Map(properties.map((property) => [property.name, property]));
}
