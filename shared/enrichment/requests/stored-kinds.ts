import { recordKey } from '#shared/crm';
import { DAY_MS } from '#shared/kernel';
import { kind } from '#shared/store';
import {
  type ActionExecution,
  actionExecutionSchema,
  personRequestSchema,
  type WrongMatch,
  wrongMatchSchema,
} from './schemas.ts';

const POLICY_PROPERTIES = 'Properties of the policy, each once.';
const OPERATIONS = 'Operations, each once.';

export const requestKind = kind({
  name: "person's request in HubSpot, and the reply",
  prefix: 'request',
  table: 'state',
  schema: personRequestSchema,
  key: (id: string) => id,
  expiry: { kept: '1 day', at: ({ askedAtMs }) => askedAtMs + DAY_MS },
  holdsPeople: false,
  bound: {
    'reply.kept': POLICY_PROPERTIES,
    'reply.next.questions': OPERATIONS,
    'reply.params': 'Parameters of one text of the catalogue.',
    'reply.quote.questions': OPERATIONS,
    'reply.restored': POLICY_PROPERTIES,
    properties: POLICY_PROPERTIES,
  },
});

export const wrongMatchKind = kind({
  name: 'wrong match: ids and credits',
  prefix: 'wrong-match',
  table: 'state',
  schema: wrongMatchSchema,
  key: ({ objectType, id, questionKey, askedAtMs }: WrongMatch) =>
    `${recordKey({ objectType, id })}#${questionKey}#${askedAtMs}`,
  index: ({ atMs }) => ({ partition: 'wrong-matches' as const, order: atMs }),
  expiry: { kept: 'no expiry' },
  holdsPeople: false,
  bound: {},
});

/** HubSpot holds an execution for one week by default. During this week it may repeat its request. */
export const EXECUTION_DAYS = 7;

export const executionKind = kind({
  name: "execution of a workflow's action",
  prefix: 'execution',
  table: 'state',
  schema: actionExecutionSchema,
  key: (callbackId: string) => callbackId,
  index: executionPlace,
  // An execution that could not be completed also expires. HubSpot has continued the record's workflow by that time.
  expiry: { kept: '8 days', at: ({ askedAtMs }) => askedAtMs + (EXECUTION_DAYS + 1) * DAY_MS },
  holdsPeople: false,
  bound: {},
});

function executionPlace({ doneAtMs, askedAtMs }: ActionExecution) {
  const partition = doneAtMs === undefined ? ('actions' as const) : ('actions-done' as const);
  return { partition, order: askedAtMs };
}
