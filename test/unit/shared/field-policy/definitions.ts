import type { PropertyDefinition } from '#shared/crm';

/** A definition as a portal would give it: a plain text property unless told otherwise. */
export function definitionOf(name: string, change: Partial<PropertyDefinition> = {}): PropertyDefinition {
  return { name, type: 'string', fieldType: 'text', options: [], readOnly: false, ...change };
}

export function definitionsOf(...definitions: PropertyDefinition[]): Map<string, PropertyDefinition> {
  return new Map(definitions.map((definition) => [definition.name, definition]));
}

/** Options whose labels are as HubSpot shows them. */
export function optionsOf(options: Readonly<Record<string, string>>): PropertyDefinition['options'] {
  return Object.entries(options).map(([value, label]) => ({ value, label }));
}

export const INDUSTRY = definitionOf('industry', {
  type: 'enumeration',
  fieldType: 'select',
  options: optionsOf({
    COMPUTER_SOFTWARE: 'Computer Software',
    HOSPITAL_HEALTH_CARE: 'Hospital & Health Care',
    INFORMATION_TECHNOLOGY_AND_SERVICES: 'Information Technology and Services',
    MARKETING_AND_ADVERTISING: 'Marketing und Werbung',
    PROFESSIONAL_TRAINING_COACHING: 'Professional Training & Coaching',
  }),
});

export const COLOURS = definitionOf('colours', {
  type: 'enumeration',
  fieldType: 'checkbox',
  options: optionsOf({ red: 'Red', green: 'Green', blue: 'Blue', teal: 'Teal' }),
});
