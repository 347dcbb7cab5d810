import { createDays } from '#inside/records/days.ts';
import { createSpendBook } from '#inside/spend/spend-book.ts';
import { recordKey } from '#shared/crm';
import type { LogFields } from '#shared/kernel';
import { type RecordState, recordPlace } from '#shared/records';
import { type HubSpotSite, hubSpotPages, type StopSources } from '#shared/spend';
import { createHandler, createWidgetHandler } from '../../../../functions/report-spend/handler.ts';
import { createMemoryItems } from '../../../harness/memory-items.ts';
import { ACCOUNT, bookKeeping, handClock, TIME_ZONE } from '../../shared/spend/random-log.ts';

export const FUNCTION_ARN = 'arn:aws:lambda:eu-central-1:1:function:report-spend';

const STOPPED = { sinceMs: 0, reason: 'budget review' };

interface Wish {
  readonly startMs?: number;
  /** A log that is there already. */
  readonly store?: Parameters<typeof bookKeeping>[1];
  /** Price of one credit, as in the policy. */
  readonly creditPrice?: { readonly amount: number; readonly currency: string };
  /** The stack whose books they are. */
  readonly stack?: string;
  readonly hubSpot?: HubSpotSite;
  /** A person has stopped spending. */
  readonly isStoppedByPerson?: boolean;
}

function stopsOf({ isStoppedByPerson }: Wish): StopSources {
  const breakers = { doubtsInRow: 0, ...(isStoppedByPerson && { stopped: STOPPED }) };
  return {
    breakers: { read: async () => breakers },
    writeBreakers: { open: async () => undefined },
    checkBooks: async () => ({ problems: [] }),
  };
}

/** A logger that keeps its lines. */
function listLogger() {
  const lines: [event: string, fields: LogFields | undefined][] = [];
  const log = (event: string, fields?: LogFields) => void lines.push([event, fields]);
  return { lines, logger: { info: log, warn: log, error: log } };
}

/** The reporter over memory, with a clock that a test sets. */
export function openReporter(wish: Wish = {}) {
  const clock = handClock(wish.startMs);
  const { store, ledger } = bookKeeping(clock, wish.store);
  const common = { store, account: ACCOUNT, clock };
  const spendBook = createSpendBook({ items: createMemoryItems(), status: createMemoryItems(), ...common });
  const states = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  const days = createDays({
    items: createMemoryItems(),
    clock: { ...clock, sleep: async () => undefined },
    timeZone: TIME_ZONE,
  });
  const { lines, logger } = listLogger();
  const sources = {
    spendBook,
    ledger,
    ledgerStore: store,
    states,
    place: async () => ({ stack: wish.stack, hubSpot: hubSpotPages(wish.hubSpot ?? {}, '4711') }),
    waiting: { records: states, counted: async () => undefined },
    days,
    stops: stopsOf(wish),
    stack: wish.stack,
    creditPrice: wish.creditPrice,
    clock,
    timeZone: TIME_ZONE,
  };
  const handler = createHandler({ ...sources, logger });
  const show = createWidgetHandler(sources);
  return {
    clock,
    store,
    ledger,
    spendBook,
    days,
    lines,
    ask: (
      rawPath: string,
      given: { method?: string; query?: Readonly<Record<string, string>>; rawQuery?: string } = {},
    ) =>
      handler({
        rawPath,
        requestContext: { http: { method: given.method ?? 'GET' } },
        rawQueryString: given.rawQuery ?? new URLSearchParams(given.query).toString(),
      }),
    /** A click in the widget, or its first look. */
    widget: (asked: object = {}, context: object = {}) =>
      show({ ...asked, widgetContext: { theme: 'light', ...context } }, { invokedFunctionArn: FUNCTION_ARN }),
    describe: () => show({ describe: true }, { invokedFunctionArn: FUNCTION_ARN }),
    putState: async (state: RecordState) => {
      await states.write({ key: recordKey(state), value: state, expectedVersion: undefined });
    },
  };
}
