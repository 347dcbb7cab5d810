import {
  createProperty,
  createPropertyGroup,
  listProperties,
  optionsOf,
  type PropertyEditor,
  replaceOptions,
} from './properties.ts';
import type {
  EnsuredProperties,
  HubSpotObjectType,
  PropertyDefinition,
  PropertyGroupSpec,
  PropertyOption,
  PropertySpec,
} from './types.ts';

export interface EnsureRequest {
  readonly objectType: HubSpotObjectType;
  readonly group: PropertyGroupSpec;
  readonly properties: readonly PropertySpec[];
}

/**
 * Brings group and properties into being, as often as it is called. What is there is compared first; an archived
 * property is revived (that is what creating its name does) only if it has the wanted type, and its options are
 * compared after that; options are added, never taken away; nothing else of an existing property is touched.
 */
export async function ensureProperties(
  editor: PropertyEditor,
  request: EnsureRequest,
): Promise<EnsuredProperties> {
  const { objectType, group, properties } = request;
  await createPropertyGroup(editor, objectType, group);
  const before = byName(await listProperties(editor, objectType));
  const creation = await createMissing({ editor, request, before });
  const after = creation.attempted ? byName(await listProperties(editor, objectType)) : before;
  const result = { created: [...creation.created], optionsAdded: [], unchanged: [], conflicts: [] };
  const ensured: Ensured = { ...result, conflicts: [...creation.conflicts] };
  const open = properties.filter(
    ({ name }) => !creation.conflicts.some((conflict) => conflict.name === name),
  );
  for (const spec of open)
    await compare({ editor, objectType, spec, existing: after.get(spec.name), ensured });
  return ensured;
}

interface Ensured {
  readonly created: string[];
  readonly optionsAdded: string[];
  readonly unchanged: string[];
  readonly conflicts: { name: string; reason: string }[];
}

async function createMissing(input: {
  readonly editor: PropertyEditor;
  readonly request: EnsureRequest;
  readonly before: ReadonlyMap<string, PropertyDefinition>;
}) {
  const { editor, request, before } = input;
  const missing = request.properties.filter(({ name }) => !before.has(name));
  const created: string[] = [];
  const conflicts: { name: string; reason: string }[] = [];
  if (missing.length === 0) return { attempted: false, created, conflicts };
  const archived = byName(await listProperties(editor, request.objectType, true));
  for (const spec of missing) {
    const old = archived.get(spec.name);
    const reason = old === undefined ? undefined : typeConflict(spec, old);
    if (reason !== undefined) conflicts.push({ name: spec.name, reason: `${reason}, archived` });
    else {
      const creation = { groupName: request.group.name, spec };
      const outcome = await createProperty(editor, request.objectType, creation);
      if (outcome.kind === 'refused') conflicts.push({ name: spec.name, reason: outcome.reason });
      if (outcome.kind === 'created') created.push(spec.name);
    }
  }
  return { attempted: true, created, conflicts };
}

/** Checks what is there now, also what was just created: a revived property keeps its old options. */
async function compare(input: {
  readonly editor: PropertyEditor;
  readonly objectType: HubSpotObjectType;
  readonly spec: PropertySpec;
  readonly existing: PropertyDefinition | undefined;
  readonly ensured: Ensured;
}): Promise<void> {
  const { editor, objectType, spec, existing, ensured } = input;
  const { name } = spec;
  const reason = existing === undefined ? 'not there after its creation' : typeConflict(spec, existing);
  if (existing === undefined || reason !== undefined) {
    ensured.conflicts.push({ name, reason: reason ?? '' });
    return;
  }
  const lacking = lackingOptions(spec, existing);
  if (lacking.length > 0) {
    await replaceOptions(editor, objectType, { name, options: [...existing.options, ...lacking] });
    ensured.optionsAdded.push(name);
  } else if (!ensured.created.includes(name)) ensured.unchanged.push(name);
}

function typeConflict(spec: PropertySpec, existing: PropertyDefinition): string | undefined {
  if (existing.type !== spec.type) return `exists with type ${existing.type} instead of ${spec.type}`;
  return existing.readOnly ? 'exists and is read-only' : undefined;
}

function lackingOptions(spec: PropertySpec, existing: PropertyDefinition): readonly PropertyOption[] {
  const there = new Set(existing.options.map(({ value }) => value));
  const lastOrder = Math.max(-1, ...existing.options.map(({ displayOrder }) => displayOrder ?? -1));
  return optionsOf(spec)
    .filter(({ value }) => !there.has(value))
    .map((option, index) => ({ ...option, displayOrder: lastOrder + 1 + index }));
}

function byName(properties: readonly PropertyDefinition[]): ReadonlyMap<string, PropertyDefinition> {
  return new Map(properties.map((property) => [property.name, property]));
}
