export { ALERT_TEXTS, type AlertCode, type AlertServices, createAlerts } from './alerts.ts';
export { WEBHOOK_PROBLEMS, webhookProblem } from './webhook-address.ts';
