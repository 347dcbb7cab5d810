import {
  AGAIN_AND_AGAIN,
  type AlarmDefinition,
  COUNT,
  GAUGE,
  HOUR_MINUTES,
  own,
} from './alarm-definition.ts';

export const DATA_SERVICE_ALARMS: readonly AlarmDefinition[] = [
  {
    heading: 'Vendor out of credits',
    loss: "The vendor's balance does not pay for a lookup. Records wait until you buy credits.",
    source: own('vendorOutOfCredits'),
    threshold: 1,
    ...GAUGE,
  },
  {
    heading: 'Vendor charges above its price list',
    loss: 'The vendor charged more credits than its price list says. Lookups are paused, and records wait.',
    source: own('vendorOvercharges'),
    threshold: 1,
    ...GAUGE,
  },
  {
    heading: 'Key refused',
    loss: 'The vendor refuses the API key. Nothing is bought, and records wait.',
    source: own('vendorKeyRefused'),
    threshold: 1,
    ...GAUGE,
  },
  {
    heading: 'Vendor unavailable',
    loss: 'The vendor does not answer. Records wait, and a request without an answer may still be charged.',
    source: own('vendorUnanswered'),
    threshold: 1,
    ...AGAIN_AND_AGAIN,
  },
  // While spending is stopped, hardly any requests are sent, so few can fail. So the stop itself keeps the alarm on.
  {
    heading: 'Vendor unavailable',
    of: 'stopped',
    loss: 'Spending has stopped because the vendor did not answer. Records wait until it answers a test again.',
    source: own('vendorUnavailable'),
    threshold: 1,
    ...GAUGE,
  },
  // One refusal can have another cause: another program that uses the key. Several refusals are a fault.
  {
    heading: 'Vendor rate limit',
    loss: 'The vendor turns requests away because the rate of the key is used up. Records are enriched late.',
    source: own('vendorRateLimited'),
    threshold: 1,
    ...COUNT,
    periods: 3,
  },
  // Normally the vendor has a match for at least half of all leads.
  {
    heading: 'Nothing but misses',
    loss: 'The last 20 lookups, over two hours or more, found no match. Credits may be spent for nothing.',
    source: own('missesInARow'),
    threshold: 20,
    ...GAUGE,
  },
];

export const HUBSPOT_ALARMS: readonly AlarmDefinition[] = [
  {
    heading: 'HubSpot unavailable',
    loss: 'HubSpot does not answer. Nothing is written, and new records are found late.',
    source: own('hubSpotUnavailable'),
    threshold: 1,
    ...AGAIN_AND_AGAIN,
  },
  // One failure is enough, because a person must correct the cause of a 401 or 403. Postponed records retry within 15
  // minutes.
  {
    heading: 'HubSpot refuses us',
    loss: 'HubSpot refuses the access token, or the app lacks a scope. Nothing is read or written.',
    source: own('hubSpotRefused'),
    threshold: 1,
    ...COUNT,
    periodMinutes: 30,
  },
  {
    heading: 'HubSpot refuses a record',
    loss: 'HubSpot refused the bought values of three records in a row. One record of this type is bought an hour.',
    source: own('hubSpotWritesStopped'),
    threshold: 1,
    ...GAUGE,
  },
  {
    heading: 'Two installations',
    loss: 'Another installation works on the same HubSpot account. Records may be bought and written twice.',
    source: own('otherInstallation'),
    threshold: 1,
    ...GAUGE,
  },
  // Bulk work stops at this limit. The metric is reported only while the worker calls HubSpot, so one report keeps
  // the alarm on for an hour.
  {
    heading: 'HubSpot limit near',
    loss: "A tenth or less of the account's HubSpot calls is left today. Imports and refreshes wait until midnight.",
    source: own('hubSpotDailyLeft'),
    comparison: 'at-most',
    threshold: 10,
    periodMinutes: HOUR_MINUTES,
    periods: 1,
    missing: 'fine',
  },
  // Requests of strangers cause a few refusals. HubSpot repeats each refused delivery up to ten times, at growing
  // intervals.
  {
    heading: 'Refused webhooks',
    loss: "HubSpot's webhooks are refused. Changes of known records are lost after a day, and new records are found late.",
    source: own('webhookSignaturesRefused'),
    threshold: 5,
    ...COUNT,
    periods: 12,
    breaching: 2,
  },
  // For small portals. A few changes a day never cause five refusals in five minutes.
  {
    heading: 'Refused webhooks',
    of: 'a few in six hours',
    loss: "HubSpot's webhooks are refused. Changes of known records are lost after a day, and new records are found late.",
    source: own('webhookSignaturesRefused'),
    threshold: 3,
    ...COUNT,
    periodMinutes: 6 * HOUR_MINUTES,
  },
  {
    heading: 'Webhooks not queued',
    loss: 'Webhooks arrive and cannot be queued. Changes of known records are lost if this lasts for a day.',
    source: own('webhookQueueFailures'),
    threshold: 1,
    ...COUNT,
  },
  {
    heading: 'Webhooks fail',
    loss: 'The receiver fails. Changes of known records are lost if this lasts for a day.',
    source: { kind: 'api-failures' },
    threshold: 1,
    ...COUNT,
    periods: 2,
  },
  // One such contact is enough, because the audit needs weeks to find one.
  {
    heading: 'Privacy deletions do not arrive',
    loss: "HubSpot deleted a person's data days ago, and no webhook reported it. The data stayed here until now.",
    source: own('privacyDeletionsMissed'),
    threshold: 1,
    ...COUNT,
    periodMinutes: 6 * HOUR_MINUTES,
  },
  // HubSpot repeats deliveries that were throttled in a burst. So throttling must not continue.
  {
    heading: 'Webhooks throttled',
    loss: 'The API turns webhooks away because too many requests come. Changes of known records are lost after a day.',
    source: own('webhooksThrottled'),
    threshold: 1,
    ...AGAIN_AND_AGAIN,
  },
  // A late webhook resets the metric to 0.
  {
    heading: 'Webhooks do not arrive',
    loss: 'No webhook reports new records any more. They are found minutes late, and changes of known records are lost.',
    source: own('recordsUnreported'),
    threshold: 3,
    ...GAUGE,
    periodMinutes: 30,
  },
];
