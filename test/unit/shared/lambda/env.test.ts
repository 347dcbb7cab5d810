import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultProvider } from '#inside/kernel/lambda-credentials.system.ts';
import { readEnvironment } from '#shared/kernel';
import { createPowertoolsLogger } from '#shared/kernel/adapters';
import { hubSpotEnvSchema as schema } from '#shared/lambda';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe("Lambda's log", () => {
  it('has the invocation and the allowed fields in each line, and nothing else', () => {
    const lines: unknown[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(JSON.parse(String(text))) > 0);
    const logger = createPowertoolsLogger('a-stack');
    const fields = { recordId: 'contacts#1', email: 'someone@somewhere.example', message: 'hush' };
    logger.info('record-ended', fields);
    logger.invoked({ awsRequestId: 'r-1', functionName: 'worker', ...{ memoryLimitInMB: '512' } });
    logger.info('record-ended', fields);
    const line = {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      level: 'info',
      event: 'record-ended',
      service: 'a-stack',
      recordId: 'contacts#1',
    };
    const invocation = { awsRequestId: 'r-1', functionName: 'worker', coldStart: expect.any(Boolean) };
    expect(lines).toEqual([line, { ...line, ...invocation }]);
  });
});

describe('the environment', () => {
  it('is refused with the names of all that is wrong, and none of the values', () => {
    expect(() => readEnvironment(schema, { HUBSPOT_BASE_URL: 'hush' })).toThrow(
      /^(?!.*hush).*HUBSPOT_BASE_URL.*INSTALLED_AT/,
    );
  });
});

describe('the credentials', () => {
  it("are the role's, as Lambda gives them", async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'key');
    vi.stubEnv('AWS_SESSION_TOKEN', 'token');
    const credentials = { accessKeyId: 'id', secretAccessKey: 'key', sessionToken: 'token' };
    expect(await defaultProvider()()).toEqual(credentials);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', '');
    await expect(defaultProvider()()).rejects.toThrow('AWS_SECRET_ACCESS_KEY');
  });
});
