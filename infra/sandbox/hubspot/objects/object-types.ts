/** 0-1 is the contact, 0-2 the company. */
export type ObjectTypeId = '0-1' | '0-2';
export type ObjectTypeName = 'contact' | 'company';

const NAMES: ReadonlyMap<string, ObjectTypeId> = new Map([
  ['0-1', '0-1'],
  ['contact', '0-1'],
  ['contacts', '0-1'],
  ['0-2', '0-2'],
  ['company', '0-2'],
  ['companies', '0-2'],
]);

/** Accepts ids, singular and plural names, in any case. */
export function objectTypeIdOf(name: string): ObjectTypeId | undefined {
  return NAMES.get(name.toLowerCase());
}

export function singularName(typeId: ObjectTypeId): ObjectTypeName {
  return typeId === '0-1' ? 'contact' : 'company';
}

export function pluralName(typeId: ObjectTypeId): 'contacts' | 'companies' {
  return typeId === '0-1' ? 'contacts' : 'companies';
}
