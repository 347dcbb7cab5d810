/**
 * In a bundle in the place of the reader that its stack does not use: a client of AWS weighs up to 80 KB.
 * @throws Error always: the setting was changed by hand, without a deployment.
 */
function notBundled(): never {
  throw new Error(
    'SECRET_SOURCE is not the one that this function was deployed with: set secretSource in cdk.json and deploy.',
  );
}

export { notBundled as createParameterSource, notBundled as createSecretSource };
