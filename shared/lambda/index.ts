export { commonEnvSchema, hubSpotEnvSchema, queuesEnvSchema, tablesEnvSchema } from './env.ts';
export type { GatewayEvent, GatewayResult } from './gateway.ts';
