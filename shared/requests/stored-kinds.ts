import { recordKey } from '#shared/crm';
import { DAY_MS } from '#shared/kernel';
import { kind } from '#shared/store';
import { type StoredRequest, storedRequestSchema, type WrongMatch } from './schemas.ts';

const POLICY_PROPERTIES = 'Properties of the policy, each once.';

const OPERATIONS = 'Operations, each once.';

/** HubSpot holds an execution for one week by default. During this week it may repeat its request. */
export const EXECUTION_DAYS = 7;

type StoredRequestId =
  /** The page made the id. */
  | { readonly request: string }
  /** HubSpot made the callback id. */
  | { readonly execution: string }
  | { readonly wrongMatch: WrongMatch };

export const requestKind = kind({
  name: 'request of a person or a workflow in HubSpot, and the reply; wrong match: ids and credits',
  prefix: 'request',
  scope: 'portal',
  table: 'state',
  schema: storedRequestSchema,
  key: (id: StoredRequestId) => {
    if ('request' in id) return `request#${id.request}`;
    if ('execution' in id) return `action#${id.execution}`;
    const { questionKey, askedAtMs } = id.wrongMatch;
    return `wrong-match#${recordKey(id.wrongMatch)}#${questionKey}#${askedAtMs}`;
  },
  index: requestPlace,
  expiry: { kept: "a person's 1 day, a workflow's 8 days, a wrong match without end", at: requestExpiry },
  holdsPeople: false,
  bound: {
    'request.reply.kept': POLICY_PROPERTIES,
    'request.reply.next.fills': POLICY_PROPERTIES,
    'request.reply.next.questions': OPERATIONS,
    'request.reply.params': 'Parameters of one text of the catalogue.',
    'request.reply.quote.fills': POLICY_PROPERTIES,
    'request.reply.quote.questions': OPERATIONS,
    'request.reply.restored': POLICY_PROPERTIES,
  },
});

function requestPlace({ execution, wrongMatch }: StoredRequest) {
  if (wrongMatch) return { partition: 'wrong-matches' as const, order: wrongMatch.atMs };
  if (!execution) return undefined;
  const partition = execution.doneAtMs === undefined ? ('actions' as const) : ('actions-done' as const);
  return { partition, order: execution.askedAtMs };
}

/** An execution that could not be completed also expires. HubSpot has continued the record's workflow by that time. */
function requestExpiry({ request, execution }: StoredRequest): number | undefined {
  if (execution) return execution.askedAtMs + (EXECUTION_DAYS + 1) * DAY_MS;
  return request && request.askedAtMs + DAY_MS;
}
