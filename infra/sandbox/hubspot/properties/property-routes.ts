import { ApiError, badRequest, conflict, notFound } from '../door/api-error.ts';
import { asObject, type JsonObject } from '../door/json.ts';
import { type Call, param, type Reply, type Route, typeParam } from '../door/route.ts';
import type { ObjectTypeId } from '../objects/object-types.ts';
import { iso, liveProperty, propertyOf } from '../objects/record-view.ts';
import type { Portal } from '../portal.ts';
import { parseNewProperty, parseOptions, TYPES_AND_FIELDS } from './new-property.ts';
import type { PropertyDefinition } from './property-definition.ts';

const ALL = '/crm/properties/{version}/{objectType}';
const UNIQUE_MOST = 10;

/** Routes of property definitions. */
export const PROPERTY_ROUTES: readonly Route[] = [
  { method: 'GET', path: ALL, needs: 'read', run: listAll },
  { method: 'POST', path: ALL, needs: 'schema', run: createOne },
  { method: 'GET', path: `${ALL}/{name}`, needs: 'read', run: readOne },
  { method: 'PATCH', path: `${ALL}/{name}`, needs: 'schema', run: updateOne },
  { method: 'DELETE', path: `${ALL}/{name}`, needs: 'schema', run: archiveOne },
];

function listAll(call: Call): Reply {
  const archived = call.query.get('archived') === 'true';
  const names = Object.keys(call.portal.state.properties[typeParam(call)]);
  const all = names.flatMap((name) => propertyNamed(call, name) ?? []);
  return { status: 200, body: { results: all.filter((one) => one.archived === archived) } };
}

function readOne(call: Call): Reply {
  const archived = call.query.get('archived') === 'true';
  const found = propertyNamed(call, param(call, 'name'));
  if (!found || found.archived !== archived) throw new ApiError(noSuchProperty(param(call, 'name')));
  return { status: 200, body: found };
}

function createOne(call: Call): Reply {
  return { status: 201, body: createProperty(call, asObject(call.body)) };
}

function archiveOne(call: Call): Reply {
  const name = param(call, 'name');
  const found = liveProperty(call.portal, { typeId: typeParam(call), name });
  if (found && !found.modificationMetadata.archivable) {
    throw new ApiError(badRequest(`The property ${name} is defined by HubSpot and cannot be archived.`));
  }
  if (found) Object.assign(found, { archived: true, archivedAt: iso(call.portal.clock.now()) });
  return { status: 204 };
}

/** Updates the given fields. Given options replace the whole list. Name, uniqueness and sensitivity cannot change. */
function updateOne(call: Call): Reply {
  const { portal } = call;
  const body = asObject(call.body);
  const found = liveProperty(portal, { typeId: typeParam(call), name: param(call, 'name') });
  if (!found) throw new ApiError(noSuchProperty(param(call, 'name')));
  const merged = { ...found, ...pickTexts(body) };
  TYPES_AND_FIELDS.check(merged);
  refuseUnknownGroup(portal, { typeId: typeParam(call), name: merged.groupName });
  Object.assign(found, merged, {
    ...(typeof body['hidden'] === 'boolean' && { hidden: body['hidden'] }),
    ...(typeof body['displayOrder'] === 'number' && { displayOrder: body['displayOrder'] }),
    ...(body['options'] !== undefined && { options: parseOptions(body) }),
    updatedAt: iso(portal.clock.now()),
  });
  return { status: 200, body: found };
}

function pickTexts(body: JsonObject): Partial<PropertyDefinition> {
  const names = ['label', 'type', 'fieldType', 'description', 'groupName'];
  return Object.fromEntries(
    names.flatMap((name) => (typeof body[name] === 'string' ? [[name, body[name]]] : [])),
  );
}

/** Creates a property. If an archived property has the same name, this one is restored unchanged instead. */
function createProperty(call: Call, body: JsonObject): PropertyDefinition {
  const { portal } = call;
  const typeId = typeParam(call);
  const wanted = parseNewProperty(body, iso(portal.clock.now()));
  refuseUnknownGroup(portal, { typeId, name: wanted.groupName });
  const old = propertyNamed(call, wanted.name);
  if (old && !old.archived) {
    const category = {
      category: 'OBJECT_ALREADY_EXISTS',
      subCategory: 'Properties.PROPERTY_WITH_NAME_EXISTS',
    };
    throw new ApiError(conflict(`A property named '${wanted.name}' already exists.`, category));
  }
  if (wanted.hasUniqueValue) refuseTooManyUnique(portal, typeId);
  const created = old ?? wanted;
  created.archived = false;
  delete created.archivedAt;
  portal.state.properties[typeId][created.name] = created;
  return created;
}

function propertyNamed(call: Call, name: string): PropertyDefinition | undefined {
  return propertyOf(call.portal, { typeId: typeParam(call), name });
}

function noSuchProperty(name: string) {
  return notFound(`No property named '${name}' exists.`, { context: { name: [name] } });
}

function refuseUnknownGroup(portal: Portal, { typeId, name }: { typeId: ObjectTypeId; name: string }): void {
  const groups = portal.state.groups[typeId];
  if (Object.hasOwn(groups, name)) return;
  throw new ApiError(
    badRequest(`There is no property group named '${name}'.`, { context: { groupName: [name] } }),
  );
}

function refuseTooManyUnique(portal: Portal, typeId: ObjectTypeId): void {
  const unique = Object.values(portal.state.properties[typeId]).filter(
    (one) => one.hasUniqueValue && !one.hubspotDefined && !one.archived,
  );
  if (unique.length < UNIQUE_MOST) return;
  throw new ApiError(badRequest(`An object type has at most ${UNIQUE_MOST} properties with unique values.`));
}
