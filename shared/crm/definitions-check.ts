import { byObjectType, type ObjectType, type PropertyDefinitions } from './crm-record.ts';

interface KeptDefinitions {
  read(objectType: ObjectType): Promise<PropertyDefinitions>;
  kept(objectType: ObjectType): Promise<PropertyDefinitions> | undefined;
  forget(objectType: ObjectType): void;
}

interface ReadObject {
  readonly properties: Readonly<Record<string, unknown>>;
}

/**
 * Reads the definitions again if records contradict the cached definitions. HubSpot returns null for a blank property,
 * and leaves out a property that does not exist. Without this check, a deleted property would count as blank while it
 * is cached.
 */
export function createDefinitionsCheck(definitions: KeptDefinitions) {
  /** Properties that records contradict although the definitions were just read. They cause no further read. */
  const knownContradictions = byObjectType(() => new Set<string>());
  const contradicted = (
    kept: PropertyDefinitions,
    asked: readonly string[],
    objects: readonly ReadObject[],
  ): string[] =>
    asked.filter((name) =>
      objects.some(({ properties }) => Object.hasOwn(properties, name) !== kept.has(name)),
    );
  return {
    refreshIfContradicted: async (
      objectType: ObjectType,
      asked: readonly string[],
      objects: readonly ReadObject[],
    ) => {
      const kept = await definitions.kept(objectType);
      if (!kept) return;
      const newContradictions = contradicted(kept, asked, objects).filter(
        (name) => !knownContradictions[objectType].has(name),
      );
      if (newContradictions.length === 0) return;
      definitions.forget(objectType);
      const fresh = await definitions.read(objectType);
      for (const name of contradicted(fresh, newContradictions, objects))
        knownContradictions[objectType].add(name);
    },
  };
}
