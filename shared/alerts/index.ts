export type { AlarmSubscriptions } from './alarm-mail.sns.ts';
export { type AlertServices, createAlerts } from './alerts.ts';
export { toldSchema } from './schemas.ts';
export { webhookProblem } from './webhook-address.ts';
