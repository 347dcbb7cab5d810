export { commonEnvSchema, hubSpotEnvSchema, queuesEnvSchema, tablesEnvSchema } from './env.ts';
export { STORED_KINDS } from './stored-kinds.ts';
