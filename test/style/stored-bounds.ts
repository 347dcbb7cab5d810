/** The part of a zod schema that tells its form. */
interface Schema {
  readonly _zod: { readonly def: Definition };
}

/** Where a list inside a stored item is not bounded by its schema, and what bounds it. By folder and field. */
export const BOUNDED_ELSEWHERE: Readonly<Record<string, string>> = {
  'alerts.facts': 'Only what holds: marks of budgets, at most 20 doubts, and stops.',
  'credit-ledger.totals.expiring': 'Grants that a person booked; each goes after its last day.',
  'credit-ledger.totals.leads.before': 'LEAD_DAYS.',
  'credit-ledger.open': 'MAX_PENDING; a reservation beyond it is refused. Doubts leave after LISTED_MS.',
  'credit-ledger.totals.periods': 'Today, this month, and those of the open reservations.',
  'enrichment/backfill.damagedIds': 'EXAMPLES.',
  'enrichment/backfill.leftOut': 'Reasons from a fixed list.',
  'enrichment/backfill.outstanding': 'MAX_OUTSTANDING; nothing more is started at it.',
  'enrichment/backfill.overruled': 'Two rules.',
  'enrichment/backfill.pause.examples': 'EXAMPLES.',
  'enrichment/backfill.postponed': 'Taken from `outstanding`.',
  'enrichment/backfill.scope.where': 'Conditions that a person typed in one command.',
  'enrichment/backfill.strata': 'Ways in which the policy looks up a record.',
  'enrichment/backfill.strata.missIds': 'EXAMPLES.',
  'enrichment/backfill.strata.questions': 'Operations, each once.',
  'enrichment/requests.reply.kept': 'Properties of the policy.',
  'enrichment/requests.reply.next.questions': 'Operations, each once.',
  'enrichment/requests.reply.quote.questions': 'Operations, each once.',
  'enrichment/requests.reply.restored': 'Properties of the policy.',
  'questions.answer.parts': 'The largest answer that is read, in pieces.',
  'questions.attempt.domains': 'The largest search, 100 domains.',
  'questions.due':
    'One of 16 items. The sweep empties it; at 400 KB the deletion fails and its message is repeated.',
  'questions.due.identifiers': 'Identifiers of one record, see `records.identifiers`.',
  'questions.hashes':
    'One of 64 items of 12,000 hashes. A forgetting beyond 700,000 hashes fails and is reported.',
  'questions.olderAnswers': 'Combinations of options that do not include each other.',
  'questions.olderAnswers.parts': 'The largest answer that is read, in pieces.',
  'questions.rateHeaders': 'Headers of one response, at most 16 KB.',
  'questions.words': 'MAX_SENTENCES.',
  'rate-limiter.slots': 'Requests of a minute; above 60 a minute, an entry a second and those in flight.',
  'rate-limiter.waiters': 'MOST_LISTED.',
  'rate-limiter.window.endsAtMs': 'Workers that were answered within one minute.',
  'records.changes': 'Properties of the policy; MAX_CHARACTERS for their values.',
  'records.declined.properties': 'Properties of the policy.',
  'records.doubtfulRun.commitments': 'The price that a person agreed to: each attempt takes a part of it.',
  'records.dropped': 'Properties of the policy.',
  'records.eventKeys': 'MAX_RUN_EVENTS.',
  'records.filled': 'Properties of a HubSpot object, at most 1,000.',
  'records.identifiers':
    'Nothing is dropped: at 400 KB (6,000 identifiers) the write fails before anything is asked about the record.',
  'records.lastWritten': 'Properties of a HubSpot object, at most 1,000.',
  'records.mergedFrom': 'HubSpot merges a record at most 250 times.',
  'records.pinned': 'Properties of a HubSpot object, at most 1,000.',
  'records.recentEvents': 'MAX_EVENTS and MAX_WISHES; the oldest are dropped.',
  'records.run.commitments': 'The price that a person agreed to: each attempt takes a part of it.',
  'records.run.eventKeys': 'MAX_RUN_EVENTS.',
  'records/brought.rows': 'Purposes and kinds, each pair once.',
  'records/rounds.last.reasons': 'Codes of our own.',
  'records/rounds.last.records': 'Places of the index.',
  'records/rounds.suspects': 'MAX_SUSPECTS and the contacts of one part.',
  'records/rounds.sum.guilty': 'MAX_GUILTY.',
  'records/rounds.sum.reasons': 'Codes of our own.',
  'records/rounds.sum.records': 'Places of the index.',
  'review.findings': 'One of a kind.',
  'review.findings.properties': 'Properties of the policy.',
  'spend.rows': 'Days of a month, operations, purposes and outcomes, each combination once.',
  'spend.rows.spans': 'MAX_SPANS.',
};

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

/** Fields of a schema that hold an array or a record without a bound of its own: no `max`, no fixed set of words. */
export function unboundedFields(schema: Schema, path: readonly string[] = []): string[] {
  const { def } = schema._zod;
  const here = isUnbounded(def) ? [path.join('.')] : [];
  const own = Object.entries(def.shape ?? {}).flatMap(([name, field]) =>
    unboundedFields(field, [...path, name]),
  );
  const inner = [
    def.element,
    def.valueType,
    def.innerType,
    def.in,
    def.out,
    ...(def.options ?? []),
    ...(def.items ?? []),
  ];
  return [
    ...here,
    ...own,
    ...inner.filter((each) => each !== undefined).flatMap((each) => unboundedFields(each, path)),
  ];
}

/** The parts of zod's definitions that can hold a schema. */
interface Definition {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly check: string } } }[];
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly keyType?: Schema;
  readonly valueType?: Schema;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly out?: Schema;
  readonly options?: readonly Schema[];
  readonly items?: readonly Schema[];
}

const FIXED = new Set(['enum', 'literal', 'never']);

function isUnbounded({ type, checks = [], element, keyType }: Definition): boolean {
  const hasMaximum = checks.some(({ _zod }) => _zod.def.check === 'max_length');
  if (type === 'array') return !hasMaximum && !FIXED.has(element?._zod.def.type ?? '');
  return ['record', 'map', 'set'].includes(type) && !FIXED.has(keyType?._zod.def.type ?? '');
}
