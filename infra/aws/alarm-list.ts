import { LANES } from '#shared/crm';
import {
  AGAIN_AND_AGAIN,
  type AlarmDefinition,
  COUNT,
  DAY_MINUTES,
  GAUGE,
  ONCE,
  own,
  SILENCE,
} from './alarm-definition.ts';
import { DATA_SERVICE_ALARMS, HUBSPOT_ALARMS } from './alarms-outside.ts';
import { FUNCTIONS } from './names.ts';

const MINUTE_MS = 60_000;
const DAY_S = 86_400;
const DAY_MS = 86_400_000;

const MONEY: readonly AlarmDefinition[] = [
  // Imports and refreshes leave a fifth of the budget, so up to 80% is normal.
  {
    heading: 'Budget nearly used up',
    loss: 'At least 90% of a budget is used. Records wait as soon as all of it is.',
    source: own('budgetUsed'),
    threshold: 90,
    ...GAUGE,
  },
  {
    heading: 'Budget used up',
    loss: 'A budget is used up. Records that need a lookup wait until it resets.',
    source: own('budgetUsed'),
    threshold: 100,
    ...GAUGE,
  },
  {
    heading: 'Doubts',
    loss: 'It is unknown whether the vendor charged a request. Its record stays empty, and its price counts as spent.',
    source: own('doubtsOpen'),
    threshold: 1,
    ...GAUGE,
  },
  {
    heading: 'Books differ',
    loss: 'A ledger entry failed its check. Do not trust spend and budgets until it is repaired.',
    source: own('ledgerProblems'),
    threshold: 1,
    ...GAUGE,
  },
  // Three times in a row, because two cases are normal: after an outage of HubSpot, waiting records are only
  // starting, and a throttled table delays some records for half an hour. Budgets have their own alarm.
  {
    heading: 'Nothing is bought',
    loss: 'Nothing has been bought for more than 30 minutes although records wait.',
    source: own('nothingBought'),
    threshold: 10 * MINUTE_MS,
    ...GAUGE,
    periods: 3,
  },
];

const RECORDS: readonly AlarmDefinition[] = [
  // A queued record waits a minute or two, unless the budget or the rate limit is too low. Twice in a row, because
  // records that waited during an outage start soon after it.
  {
    heading: 'Leads wait',
    loss: 'A new lead has waited for 15 minutes or more. A salesperson may call before its data is there.',
    source: own('oldestLead'),
    threshold: 15 * MINUTE_MS,
    ...GAUGE,
    periods: 2,
  },
  // Records whose values HubSpot rejects are left out, because one of them would keep the alarm on for months. `queue
  // status` shows their age.
  ...(['hubspot', 'data-service', 'ourselves'] as const).map((waitsFor): AlarmDefinition => {
    const source = own('oldestWaiting', { waitsFor });
    const loss = `A record has been postponed for a day or longer (${waitsFor}), and its data is missing in HubSpot.`;
    return { heading: 'Records wait', of: waitsFor, loss, source, threshold: DAY_MS, ...GAUGE };
  }),
  // One breach is enough: each record is checked by itself, when it is written and once a day.
  {
    heading: 'Runs do not add up',
    loss: 'A run of a record was lost, so the record may never be enriched.',
    source: own('conservationDifference'),
    threshold: 1,
    ...GAUGE,
  },
  // Ten records are enough, because normally at least half of all records are enriched.
  {
    heading: 'Nothing is enriched',
    loss: 'Ten or more records were looked up since two days ago, and none was enriched.',
    source: own('recordsUnenriched'),
    threshold: 10,
    ...GAUGE,
  },
  // A person or a workflow should have sent the notice before. The sweep counts overdue notices once an hour.
  {
    heading: 'Notices overdue',
    loss: "People still have not been told where their data came from, a week after the policy's date.",
    source: own('noticesLate'),
    threshold: 1,
    ...GAUGE,
  },
  // An index normally lags behind its table by at most a second.
  {
    heading: 'Index behind',
    loss: 'The index of records is ten minutes or more behind its table. Waiting records are not found.',
    source: own('indexLag'),
    threshold: 10 * MINUTE_MS,
    ...GAUGE,
  },
];

const QUEUES: readonly AlarmDefinition[] = [
  ...LANES.map((lane): AlarmDefinition => {
    const source = { kind: 'dead-letters', lane } as const;
    const loss = `A message of the ${lane} lane failed for three hours. Its task is not done.`;
    return { heading: 'Dead letters', of: lane, loss, source, threshold: 1, ...COUNT };
  }),
  // Needed because the alarm above stays on, and does not report further dead letters.
  ...LANES.map((lane): AlarmDefinition => {
    const source = { kind: 'dead-letters', lane } as const;
    const loss = `25 or more messages of the ${lane} lane failed for three hours: this is no single damaged message.`;
    return { heading: 'Dead letters grow', of: lane, loss, source, threshold: 25, ...COUNT };
  }),
  // SQS deletes dead letters after fourteen days.
  ...LANES.map((lane): AlarmDefinition => {
    const source = { kind: 'oldest-dead-letter', lane } as const;
    const loss = `A dead letter of the ${lane} lane is ten days old. SQS deletes it four days from now.`;
    return { heading: 'Dead letters expire', of: lane, loss, source, threshold: 10 * DAY_S, ...COUNT };
  }),
  // Workers receive messages at once. Longer waits are stored in the records, not in the queue.
  ...(['urgent', 'live'] as const).map((lane): AlarmDefinition => {
    const source = { kind: 'oldest-message', lane } as const;
    const loss = `A message of the ${lane} lane has waited for five minutes: the workers do not run, or it fails repeatedly.`;
    // Throttling delays one message after another, each for a short time. So the alarm evaluates an hour and a half.
    return {
      ...{ heading: 'Messages wait', of: lane, loss, source, threshold: 300 },
      ...{ ...COUNT, periods: 18, breaching: 2 },
    };
  }),
  {
    heading: 'Messages wait',
    of: 'bulk',
    loss: 'A message of the bulk lane has waited for an hour: the workers do not run, or it fails repeatedly.',
    source: { kind: 'oldest-message', lane: 'bulk' },
    threshold: 3_600,
    ...COUNT,
  },
];

/** Functions whose errors no person sees. A failure of `report-spend` is visible on the spend page. */
const UNSEEN = FUNCTIONS.filter((name) => name !== 'report-spend');

const MACHINES: readonly AlarmDefinition[] = [
  ...UNSEEN.map((of): AlarmDefinition => {
    const loss = `${of} ends with errors. Its work is late, and is lost if this lasts for days.`;
    return { heading: 'Function errors', of, loss, source: { kind: 'errors', of }, threshold: 1, ...ONCE };
  }),
  // Lambda retries throttled calls by itself, so lasting throttling means that the account's concurrency is used up.
  // `refresh-stale` is left out, because it runs only once an hour.
  ...UNSEEN.filter((name) => name !== 'refresh-stale').map((of): AlarmDefinition => {
    const source = { kind: 'throttles', of } as const;
    const loss = `Lambda does not start ${of}, because the account has no concurrency left. Its work is late.`;
    return { heading: 'Functions throttled', of, loss, source, threshold: 1, ...AGAIN_AND_AGAIN };
  }),
  {
    heading: 'Tables throttled',
    loss: 'DynamoDB throttles many requests. Records are enriched late, and functions may fail.',
    source: own('storeThrottled'),
    threshold: 1,
    ...AGAIN_AND_AGAIN,
  },
  {
    heading: 'Sweep stopped',
    loss: 'The sweep no longer starts. Waiting records stay where they are, and most alarms get no data.',
    source: { kind: 'invocations', of: 'reconcile' },
    ...SILENCE,
    periodMinutes: 15,
    periods: 2,
  },
  // Uses a gauge that every sweep reports and that is never below 0. So only missing data breaches.
  {
    heading: 'Sweep reports nothing',
    loss: 'The sweep reports nothing: its keys are gone, it fails at once, or its log is not written. Records wait, and most alarms get no data.',
    source: own('doubtsOpen'),
    ...SILENCE,
    threshold: -1,
    periodMinutes: 15,
    periods: 2,
  },
  // A week is the longest interval that the settings allow, and the longest time that CloudWatch evaluates.
  {
    heading: 'Refresh stopped',
    loss: 'Stale records have not been chosen for a week. Their data grows old.',
    source: { kind: 'invocations', of: 'refresh-stale' },
    ...SILENCE,
    periodMinutes: DAY_MINUTES,
    periods: 7,
  },
];

export const ALARMS: readonly AlarmDefinition[] = [
  ...MONEY,
  ...DATA_SERVICE_ALARMS,
  ...HUBSPOT_ALARMS,
  ...RECORDS,
  ...QUEUES,
  ...MACHINES,
];
