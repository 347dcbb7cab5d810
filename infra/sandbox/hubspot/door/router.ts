import type { Route } from './route.ts';

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

const VERSION = '(?<version>v3|v4|2025-09|2026-03|2026-09)';

/** Creates a router. It uses the first matching route. */
export function createRouter(routes: readonly Route[]) {
  const compiled = routes.map((route) => ({ route, pattern: patternOf(route.path) }));
  return (method: string, path: string): Match | 'wrong-method' | undefined => {
    const fitting = compiled.filter(({ pattern }) => pattern.test(modernPath(path)));
    const found = fitting.find(({ route }) => route.method === method);
    if (!found) return fitting.length > 0 ? 'wrong-method' : undefined;
    const groups = found.pattern.exec(modernPath(path))?.groups ?? {};
    const params = Object.entries(groups).map(([name, value]) => [name, decoded(value)]);
    return { route: found.route, params: Object.fromEntries(params) };
  };
}

/** Rewrites `/crm/v3/objects/contacts` to `/crm/objects/v3/contacts`, the order of the dated paths. */
function modernPath(path: string): string {
  return path
    .replace(/^\/crm\/(v3|v4)\/(objects|properties|associations)(?=\/|$)/, '/crm/$2/$1')
    .replace(/\/$/, '');
}

/** Decodes a segment. An invalid escape is left as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function patternOf(path: string): RegExp {
  const source = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'version' ? VERSION : `(?<${name}>[^/]+)`,
  );
  return new RegExp(`^${source}$`);
}
