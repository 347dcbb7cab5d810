export { openSecrets } from './lambda-secrets.aws.ts';
export { createSecretSource } from './reader.secrets.ts';
export { createParameterSource } from './reader.ssm.ts';
