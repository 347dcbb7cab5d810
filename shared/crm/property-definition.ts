/** HubSpot's definition of a property in this account. */
export interface PropertyDefinition {
  readonly name: string;
  /** The name for people. */
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  /** `string`, `number`, `bool`, `date`, `datetime`, `enumeration`, `phone_number`; others are not written. */
  readonly type: string;
  /** The form field. `checkbox` allows several values of an enumeration; `phonenumber` marks a string as a phone. */
  readonly fieldType: string;
  readonly options: readonly DefinedOption[];
  /** HubSpot refuses writes. */
  readonly readOnly: boolean;
  /** HubSpot computes the value itself. */
  readonly calculated?: boolean | undefined;
}

export interface DefinedOption {
  readonly label: string;
  /** The internal value, which is written. Upper and lower case matter. */
  readonly value: string;
  /** Retired by an administrator; never written. */
  readonly hidden?: boolean | undefined;
}

/** Definitions of one object type by internal name. */
export type PropertyDefinitions = ReadonlyMap<string, PropertyDefinition>;
