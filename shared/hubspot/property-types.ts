export interface PropertyOption {
  readonly label: string;
  /** The internal value: the one to write, in exactly this case. */
  readonly value: string;
  readonly description?: string | undefined;
  readonly displayOrder?: number | undefined;
  readonly hidden?: boolean;
}

/** A property as the portal defines it. */
export interface HubSpotProperty {
  readonly name: string;
  readonly label: string;
  /** bool, date, datetime, enumeration, number, phone_number, string; open. */
  readonly type: string;
  /** booleancheckbox, checkbox, date, number, select, text, textarea ...; open. */
  readonly fieldType: string;
  readonly groupName: string;
  readonly description?: string | undefined;
  readonly options: readonly PropertyOption[];
  /** Calculated, or marked by HubSpot as not to be written. */
  readonly readOnly: boolean;
  readonly archived: boolean;
}

/** A property to be created. */
export interface PropertySpec {
  readonly name: string;
  readonly label: string;
  readonly type: 'string' | 'number' | 'date' | 'datetime' | 'enumeration' | 'bool';
  readonly fieldType:
    | 'text'
    | 'textarea'
    | 'number'
    | 'date'
    | 'select'
    | 'radio'
    | 'checkbox'
    | 'booleancheckbox';
  readonly description?: string;
  /** Required for enumerations; a `bool` without options gets true and false. */
  readonly options?: readonly PropertyOption[];
}

export interface PropertyGroupSpec {
  readonly name: string;
  readonly label: string;
}

/** What the set-up of properties found and did. Nothing is ever deleted. */
export interface EnsuredProperties {
  readonly groupCreated: boolean;
  readonly created: readonly string[];
  /** Properties that were archived and are back, of the wanted type. */
  readonly revived: readonly string[];
  /** Properties that existed without some of the wanted options, which were added at the end. */
  readonly optionsAdded: readonly string[];
  readonly unchanged: readonly string[];
  /** Properties that cannot be had as wanted (another type, refused by HubSpot): left as they are. */
  readonly conflicts: readonly { readonly name: string; readonly reason: string }[];
}
