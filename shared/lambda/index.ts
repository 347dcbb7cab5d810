export { commonEnvSchema, hubSpotEnvSchema, queuesEnvSchema, tablesEnvSchema } from './env.ts';
