export type { AlarmSubscriptions } from './alarm-mail.sns.ts';
export { type AlertServices, createAlerts } from './alerts.ts';
export { sentAlertsKind } from './stored-kinds.ts';
export { webhookProblem } from './webhook-address.ts';
