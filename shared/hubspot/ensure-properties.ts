import {
  createProperty,
  createPropertyGroup,
  hasPropertyGroup,
  listProperties,
  optionsOf,
  type PropertyEditor,
  replaceOptions,
} from './properties.ts';
import type {
  EnsuredProperties,
  HubSpotObjectType,
  HubSpotProperty,
  PropertyGroupSpec,
  PropertyOption,
  PropertySpec,
} from './types.ts';

export interface EnsureRequest {
  readonly objectType: HubSpotObjectType;
  readonly group: PropertyGroupSpec;
  readonly properties: readonly PropertySpec[];
  /** Reports the changes and writes nothing. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Creates the group and the properties. Safe to repeat. If an archived property has the same name, a creation restores
 * it. So the creation is only sent if the archived property has the wanted type. Existing and restored properties are
 * then compared. Missing options are added, no option is removed, and nothing else changes.
 */
export async function ensureProperties(
  editor: PropertyEditor,
  request: EnsureRequest,
): Promise<EnsuredProperties> {
  const { objectType, group } = request;
  const found = byName(await listProperties(editor, objectType));
  const groupCreated = await ensureGroup(editor, request);
  const work: Work = {
    editor,
    request,
    found,
    report: { groupCreated, created: [], revived: [], optionsAdded: [], unchanged: [], conflicts: [] },
  };
  await createMissing(work, group);
  await compareAll(work);
  return work.report;
}

interface Work {
  readonly editor: PropertyEditor;
  readonly request: EnsureRequest;
  /** Existing properties by name, including archived properties that will be restored. */
  readonly found: Map<string, HubSpotProperty>;
  readonly report: Report;
}

interface PropertyConflict {
  readonly name: string;
  readonly code: 'other-type' | 'read-only' | 'refused' | 'not-listed';
  readonly params?: Readonly<Record<string, string>>;
  readonly reason: string;
}

interface Report {
  readonly groupCreated: boolean;
  readonly created: string[];
  readonly revived: string[];
  readonly optionsAdded: string[];
  readonly unchanged: string[];
  readonly conflicts: PropertyConflict[];
}

/**
 * Creates the group if it does not exist. So an app without the right to create groups can run this if the group
 * exists.
 */
async function ensureGroup(
  editor: PropertyEditor,
  { objectType, group, dryRun = false }: EnsureRequest,
): Promise<boolean> {
  if (await hasPropertyGroup(editor, objectType, group.name)) return false;
  return dryRun || createPropertyGroup(editor, objectType, group);
}

async function createMissing(work: Work, group: PropertyGroupSpec): Promise<void> {
  const { editor, request, found, report } = work;
  const missing = request.properties.filter(({ name }) => !found.has(name));
  if (missing.length === 0) return;
  const archived = byName(await listProperties(editor, request.objectType, { archived: true }));
  for (const spec of missing) {
    const archivedProperty = archived.get(spec.name);
    const conflict = archivedProperty && conflictOf(spec, archivedProperty);
    if (conflict !== undefined) {
      const reason = `${conflict.reason}; it is archived, and its creation would restore the old property`;
      report.conflicts.push({ name: spec.name, ...conflict, reason });
    } else if (request.dryRun) {
      (archivedProperty ? report.revived : report.created).push(spec.name);
      if (archivedProperty) found.set(spec.name, archivedProperty);
    } else await createOne(work, { groupName: group.name, spec, revives: archivedProperty !== undefined });
  }
  if (request.dryRun) return;
  // The properties are read again, because a restored property keeps its old type and options.
  for (const [name, property] of byName(await listProperties(editor, request.objectType)))
    found.set(name, property);
}

async function createOne(
  { editor, request, report }: Work,
  creation: { groupName: string; spec: PropertySpec; revives: boolean },
): Promise<void> {
  const { name } = creation.spec;
  const outcome = await createProperty(editor, request.objectType, creation);
  if (outcome.kind === 'refused')
    report.conflicts.push({
      name,
      code: 'refused',
      params: { why: outcome.reason },
      reason: `HubSpot refuses it: ${outcome.reason}`,
    });
  if (outcome.kind === 'created') (creation.revives ? report.revived : report.created).push(name);
}

async function compareAll(work: Work): Promise<void> {
  const { request, found, report } = work;
  const conflicting = new Set(report.conflicts.map(({ name }) => name));
  for (const spec of request.properties) {
    if (conflicting.has(spec.name)) continue;
    const existing = found.get(spec.name);
    if (existing) await compare(work, spec, existing);
    else if (!request.dryRun)
      report.conflicts.push({ name: spec.name, code: 'not-listed', reason: NOT_LISTED });
  }
}

/** Without a special parameter, HubSpot does not list sensitive properties. */
const NOT_LISTED = 'HubSpot reports that it exists, but does not list it; it may be marked as sensitive';

async function compare(
  { editor, request, report }: Work,
  spec: PropertySpec,
  existing: HubSpotProperty,
): Promise<void> {
  const { name } = spec;
  const conflict = conflictOf(spec, existing);
  if (conflict) {
    report.conflicts.push({ name, ...conflict });
    return;
  }
  const missingOptions = findMissingOptions(spec, existing);
  if (missingOptions.length > 0) {
    const options = [...existing.options, ...missingOptions];
    if (!request.dryRun) await replaceOptions(editor, request.objectType, { name, options });
    report.optionsAdded.push(name);
  } else if (![...report.created, ...report.revived].includes(name)) report.unchanged.push(name);
}

function conflictOf(
  spec: PropertySpec,
  existing: HubSpotProperty,
): Omit<PropertyConflict, 'name'> | undefined {
  const { type, readOnly } = existing;
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

function byName(properties: readonly HubSpotProperty[]): Map<string, HubSpotProperty> {
  return new Map(properties.map((property) => [property.name, property]));
}
