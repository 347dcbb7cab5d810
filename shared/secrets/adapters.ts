export { openSecrets } from './lambda-secrets.aws.ts';
export { createParameterSource } from './reader.ssm.ts';
