/** What the portal says about one of its properties; read from HubSpot, never assumed. */
export interface PropertyDefinition {
  readonly name: string;
  /** What people read. */
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  /** `string`, `number`, `bool`, `date`, `datetime`, `enumeration`, `phone_number`; others are not written. */
  readonly type: string;
  /** The form field: `checkbox` makes an enumeration hold several values, `phonenumber` a string a phone. */
  readonly fieldType: string;
  readonly options: readonly DefinedOption[];
  /** HubSpot refuses a written value. */
  readonly readOnly: boolean;
  /** HubSpot computes the value itself. */
  readonly calculated?: boolean | undefined;
}

export interface DefinedOption {
  readonly label: string;
  /** The internal value: the one to write, in exactly this case. */
  readonly value: string;
  /** Retired by the account's admin: never chosen. */
  readonly hidden?: boolean | undefined;
}

/** Definitions of one object type by internal name. */
export type PropertyDefinitions = ReadonlyMap<string, PropertyDefinition>;
