export interface PropertyOption {
  readonly label: string;
  /** The internal value, which is written to records. Upper and lower case matter. */
  readonly value: string;
  readonly description?: string | undefined;
  readonly displayOrder?: number | undefined;
  readonly hidden?: boolean;
}

/** A property as the portal defines it. */
export interface HubSpotProperty {
  readonly name: string;
  readonly label: string;
  /** bool, date, datetime, enumeration, number, phone_number, string; HubSpot may add others. */
  readonly type: string;
  /** booleancheckbox, checkbox, date, number, select, text, textarea; HubSpot may add others. */
  readonly fieldType: string;
  readonly groupName: string;
  readonly description?: string | undefined;
  readonly options: readonly PropertyOption[];
  /** Calculated, or marked as read-only by HubSpot. */
  readonly readOnly: boolean;
  readonly archived: boolean;
}

/** A property to create. */
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
  /** Required for enumerations. A `bool` without options gets true and false. */
  readonly options?: readonly PropertyOption[];
}

export interface PropertyGroupSpec {
  readonly name: string;
  readonly label: string;
}

/** Result of the set-up of properties. It never deletes anything. */
export interface EnsuredProperties {
  readonly groupCreated: boolean;
  readonly created: readonly string[];
  /** Archived properties of the wanted type that were restored. */
  readonly revived: readonly string[];
  /** Existing properties to which missing options were added, at the end of the list of options. */
  readonly optionsAdded: readonly string[];
  readonly unchanged: readonly string[];
  /** Unchanged properties that cannot have the wanted form: they have another type, or HubSpot refused them. */
  readonly conflicts: readonly { readonly name: string; readonly reason: string }[];
}
