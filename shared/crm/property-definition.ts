/** HubSpot's definition of a property in this account. */
export interface PropertyDefinition {
  readonly name: string;
  /** The name for people. */
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  /** `string`, `number`, `bool`, `date`, `datetime`, `enumeration` or `phone_number`. Other types are not written. */
  readonly type: string;
  /** The form field. `checkbox` allows several values of an enumeration; `phonenumber` marks a string as a phone. */
  readonly fieldType: string;
  readonly options: readonly DefinedOption[];
  /** Set if HubSpot refuses writes. */
  readonly readOnly: boolean;
  /** Set if HubSpot computes the value itself. */
  readonly calculated?: boolean | undefined;
}

export interface DefinedOption {
  readonly label: string;
  /** The internal value, which is written to records. Upper and lower case matter. */
  readonly value: string;
  /** Set if an administrator has retired the option. It is never written. */
  readonly hidden?: boolean | undefined;
}

/** Definitions of one object type by internal name. */
export type PropertyDefinitions = ReadonlyMap<string, PropertyDefinition>;
