import { ApiError, notFound } from '../door/api-error.ts';
import { type Call, param, type Reply, type Route, typeParam } from '../door/route.ts';
import { rulesOf } from '../objects/value-rules.ts';
import type { ValueRule } from '../settings.ts';

const ALL = '/crm/property-validations/{version}/{objectType}';

/** Routes that return the admin's validation rules. */
export const VALIDATION_ROUTES: readonly Route[] = [
  { method: 'GET', path: ALL, needs: 'read', run: listAll },
  { method: 'GET', path: `${ALL}/{name}`, needs: 'read', run: listOne },
];

function listAll(call: Call): Reply {
  const byName = Map.groupBy(rulesIn(call), ({ propertyName }) => propertyName);
  const results = [...byName].map(([propertyName, rules]) => ({
    propertyName,
    propertyValidationRules: rules.map(ruleView),
  }));
  return { status: 200, body: { results } };
}

function listOne(call: Call): Reply {
  const name = param(call, 'name');
  const rules = rulesIn(call).filter(({ propertyName }) => propertyName === name);
  if (rules.length === 0) throw new ApiError(notFound(`The property ${name} has no rules.`));
  return { status: 200, body: { results: rules.map(ruleView) } };
}

function rulesIn(call: Call): readonly ValueRule[] {
  return rulesOf(call.portal.state.settings.valueRules, typeParam(call));
}

function ruleView({ ruleType, ruleArguments }: ValueRule): object {
  return { ruleType, ruleArguments };
}
