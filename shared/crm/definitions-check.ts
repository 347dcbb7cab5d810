import type { ObjectType } from './crm-record.ts';
import type { PropertyDefinitions } from './property-definition.ts';

interface KeptDefinitions {
  read(objectType: ObjectType): Promise<PropertyDefinitions>;
  kept(objectType: ObjectType): Promise<PropertyDefinitions> | undefined;
  forget(objectType: ObjectType): void;
}

interface ReadObject {
  readonly properties: Readonly<Record<string, unknown>>;
}

/**
 * Reads the definitions again when records contradict those that are kept. HubSpot returns null for a blank property, and
 * leaves a property out that does not exist: without this, a deleted one would count as blank while it is kept.
 */
export function createDefinitionsCheck(definitions: KeptDefinitions) {
  /** Contradicted by records although they had just been read: they are not read again for these. */
  const odd = { contacts: new Set<string>(), companies: new Set<string>() };
  const contradicted = (
    kept: PropertyDefinitions,
    asked: readonly string[],
    objects: readonly ReadObject[],
  ): string[] =>
    asked.filter((name) =>
      objects.some(({ properties }) => Object.hasOwn(properties, name) !== kept.has(name)),
    );
  return {
    keepInStep: async (objectType: ObjectType, asked: readonly string[], objects: readonly ReadObject[]) => {
      const kept = await definitions.kept(objectType);
      if (!kept) return;
      const news = contradicted(kept, asked, objects).filter((name) => !odd[objectType].has(name));
      if (news.length === 0) return;
      definitions.forget(objectType);
      const fresh = await definitions.read(objectType);
      for (const name of contradicted(fresh, news, objects)) odd[objectType].add(name);
    },
  };
}
