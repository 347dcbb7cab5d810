/** The AWS SDK's form of credentials. */
interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles, by the bundler's `alias`. Lambda gives a function its
 * role's credentials as environment variables. The package's other nine sources (profiles, single sign-on, web
 * identity, instance metadata, ...) would be a fourth of the receiver's size.
 */
export const defaultProvider = () => async (): Promise<Credentials> => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new Error('Environment variables: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are missing.');
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
};
