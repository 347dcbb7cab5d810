/**
 * Replaces, in a bundle, the AWS client that the stack does not use. A client has up to 80 KB.
 * @throws Error always. Only called if the setting was changed by hand, without a deployment.
 */
function notBundled(): never {
  throw new Error(
    'SECRET_SOURCE is not the one that this function was deployed with: set secretSource in cdk.json and deploy.',
  );
}

export {
  notBundled as GetParameterCommand,
  notBundled as GetSecretValueCommand,
  notBundled as SecretsManagerClient,
  notBundled as SSMClient,
};
