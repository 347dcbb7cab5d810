export type RecordValue = string | number | boolean | object;

/** A record in the form of an answer. */
export type WireRecord = Readonly<Record<string, RecordValue>>;

/** Omits fields without a value, as specified. These are absent values, empty texts, empty lists and empty objects. */
export function withoutGaps(fields: Readonly<Record<string, RecordValue | undefined>>): WireRecord {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, RecordValue] => hasValue(entry[1])),
  );
}

function hasValue(value: RecordValue | undefined): boolean {
  if (value === undefined || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** `{ sales: 3 }` under `role_count` becomes the literal key `role_count.sales`. */
export function flattened(
  group: string,
  fields: Readonly<Record<string, RecordValue | undefined>>,
): Record<string, RecordValue | undefined> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [`${group}.${key}`, value]));
}

export function companyPageUrl(slug: string): string {
  return `https://www.linkedin.com/company/${slug}`;
}

export function profileUrl(slug: string | undefined): string | undefined {
  return slug === undefined ? undefined : `https://www.linkedin.com/in/${slug}`;
}

export function websiteUrl(domain: string): string {
  return `https://www.${domain}`;
}
