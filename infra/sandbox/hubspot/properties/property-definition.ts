export interface PropertyOption {
  readonly label: string;
  readonly value: string;
  readonly displayOrder: number;
  readonly hidden: boolean;
  readonly description?: string;
}

/** A definition in the form of the properties API. */
export interface PropertyDefinition {
  readonly name: string;
  label: string;
  /** bool, date, datetime, enumeration, number, phone_number, string */
  type: string;
  /** booleancheckbox, calculation_equation, checkbox, date, file, html, number, phonenumber, radio, select, text, textarea */
  fieldType: string;
  description: string;
  groupName: string;
  options: readonly PropertyOption[];
  displayOrder: number;
  hidden: boolean;
  formField: boolean;
  readonly calculated: boolean;
  readonly externalOptions: boolean;
  readonly hasUniqueValue: boolean;
  readonly hubspotDefined: boolean;
  readonly dataSensitivity: 'non_sensitive';
  readonly modificationMetadata: {
    readonly archivable: boolean;
    readonly readOnlyDefinition: boolean;
    readonly readOnlyOptions?: boolean;
    readonly readOnlyValue: boolean;
  };
  readonly createdAt: string;
  updatedAt: string;
  archived: boolean;
  archivedAt?: string;
}

export interface PropertyGroup {
  readonly name: string;
  label: string;
  displayOrder: number;
  archived: boolean;
}

type Traits = Partial<Omit<PropertyDefinition, 'name' | 'label' | 'modificationMetadata'>> & {
  readonly readOnly?: boolean;
};

/** A property that every account has. By default, a single line of text. */
export function hubspotProperty(name: string, label: string, traits: Traits = {}): PropertyDefinition {
  const { readOnly = false, ...said } = traits;
  return {
    name,
    label,
    type: 'string',
    fieldType: 'text',
    description: '',
    groupName: '',
    options: [],
    displayOrder: -1,
    hidden: false,
    formField: !readOnly,
    calculated: false,
    externalOptions: false,
    hasUniqueValue: false,
    hubspotDefined: true,
    dataSensitivity: 'non_sensitive',
    createdAt: '2019-08-06T02:41:08.029Z',
    updatedAt: '2026-03-02T09:10:44.512Z',
    archived: false,
    ...said,
    modificationMetadata: {
      archivable: false,
      readOnlyDefinition: true,
      readOnlyOptions: false,
      readOnlyValue: readOnly,
    },
  };
}

export function textArea(): Traits {
  return { fieldType: 'textarea' };
}

export function number(): Traits {
  return { type: 'number', fieldType: 'number' };
}

export function phone(): Traits {
  return { type: 'string', fieldType: 'phonenumber' };
}

export function dateTime(): Traits {
  return { type: 'datetime', fieldType: 'date' };
}

/** Yes or no. */
export function bool(): Traits {
  const options = [option('true', 0, 'Yes'), option('false', 1, 'No')];
  return { type: 'bool', fieldType: 'booleancheckbox', options };
}

/** A choice of one of the internal values. */
export function choice(values: readonly string[]): Traits {
  return {
    type: 'enumeration',
    fieldType: 'select',
    options: values.map((value, order) => option(value, order)),
  };
}

/** A choice of any number of the internal values. Without a list, any text is allowed. */
export function choices(values: readonly string[], labelOf = titled): Traits {
  const options = values.map((value, order) => option(value, order, labelOf(value)));
  return { type: 'enumeration', fieldType: 'checkbox', options, externalOptions: values.length === 0 };
}

/** A property that only HubSpot fills. */
export function readOnly(traits: Traits = {}): Traits {
  return { ...traits, readOnly: true };
}

function option(value: string, displayOrder: number, label = titled(value)): PropertyOption {
  return { label, value, displayOrder, hidden: false };
}

function titled(value: string): string {
  return value
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
