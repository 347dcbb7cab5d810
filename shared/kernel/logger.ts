/**
 * The allowed fields of a log line: ids, counts, codes and times. There is no field for an email, name, phone, token or
 * body. A new field is a decision about personal data.
 */
export const LOG_FIELDS = [
  'attempt',
  'awsRequestId',
  'budget',
  'code',
  'coldStart',
  'count',
  'counts',
  'credits',
  'drift',
  'durationMs',
  'eventCount',
  'functionName',
  'ignored',
  'key',
  'kind',
  'limit',
  'objectType',
  'operation',
  'outcome',
  'outcomes',
  'purpose',
  'queued',
  'questionKey',
  'reason',
  'recordId',
  'remaining',
  'requestId',
  'retryable',
  'route',
  'runId',
  'seq',
  'service',
  'status',
  'until',
  'waitMs',
] as const;

export type LogFields = { readonly [field in (typeof LOG_FIELDS)[number]]?: unknown };

export interface Logger {
  /** @param event name of the event, kebab-case and constant; never built from data. */
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

const allowed: ReadonlySet<string> = new Set(LOG_FIELDS);

/** Drops every field that is not on the list, even if the types allow it. */
export function onlyAllowedFields(fields: LogFields): LogFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => allowed.has(name)));
}
