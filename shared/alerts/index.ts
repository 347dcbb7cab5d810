export type { AlarmSubscriptions } from './alarm-mail.sns.ts';
export { type AlertServices, createAlerts } from './alerts.ts';
export { toldKind } from './stored-kinds.ts';
export { webhookProblem } from './webhook-address.ts';
