import { ApiError, conflict, notFound } from '../door/api-error.ts';
import { asObject, requiredText } from '../door/json.ts';
import { type Call, param, type Reply, type Route, typeParam } from '../door/route.ts';

const ALL = '/crm/properties/{version}/{objectType}/groups';

/**
 * Routes of property groups. They come before the routes of properties, because a property may not be named `groups`.
 */
export const GROUP_ROUTES: readonly Route[] = [
  { method: 'POST', path: ALL, needs: 'schema', run: createOne },
  { method: 'GET', path: `${ALL}/{name}`, needs: 'read', run: readOne },
];

function createOne(call: Call): Reply {
  const body = asObject(call.body);
  const name = requiredText(body, 'name');
  const groups = call.portal.state.groups[typeParam(call)];
  if (Object.hasOwn(groups, name)) {
    const category = { category: 'OBJECT_ALREADY_EXISTS', subCategory: 'Properties.GROUP_WITH_NAME_EXISTS' };
    throw new ApiError(conflict(`A property group named '${name}' already exists.`, category));
  }
  const displayOrder = typeof body['displayOrder'] === 'number' ? body['displayOrder'] : -1;
  const group = { name, label: requiredText(body, 'label'), displayOrder, archived: false };
  groups[name] = group;
  return { status: 201, body: group };
}

function readOne(call: Call): Reply {
  const groups = call.portal.state.groups[typeParam(call)];
  const name = param(call, 'name');
  const group = Object.hasOwn(groups, name) ? groups[name] : undefined;
  if (group) return { status: 200, body: group };
  throw new ApiError(notFound(`No property group named '${name}' exists.`));
}
