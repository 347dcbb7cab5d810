import { describe, expect, it } from 'vitest';
import { UpstreamError } from '#shared/kernel';
import { readProblem } from '../../../../infra/cli/connection/read-problem.ts';

function refusal(name: string, message = 'a reason of AWS'): Error {
  return Object.assign(new Error(message), { name, $metadata: {} });
}

const NOT_ALLOWED =
  'User: arn:aws:sts::123456789012:assumed-role/team/a-person is not authorized to perform: dynamodb:Query on resource: a table';

describe('a problem of reading the tables of a stack', () => {
  it.each([
    [refusal('AccessDeniedException', NOT_ALLOWED), 'dynamodb:Query', 'page-policy.json'],
    [refusal('ExpiredTokenException'), 'ExpiredTokenException', 'AWS_PROFILE'],
    [Object.assign(new Error('none'), { name: 'CredentialsProviderError' }), 'credentials', 'AWS_PROFILE'],
    [refusal('ResourceNotFoundException'), 'ResourceNotFoundException', 'Start this command again'],
    [refusal('InternalServerError'), 'InternalServerError', 'in a minute'],
    [Object.assign(refusal('Error'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED', 'in a minute'],
  ])('names its cause and what to change, and no person: %s', (error, cause, change) => {
    const problem = readProblem(error, { isStack: true });
    expect(problem).toContain(cause);
    expect(problem).toContain(change);
    expect(problem).not.toContain('a-person');
  });

  it('keeps the words of an error that explains itself', () => {
    const error = new UpstreamError({ code: 'CLOCK_WRONG', message: 'Set the clock', retryable: true });
    expect(readProblem(error, { isStack: true })).toBe('Set the clock.');
  });

  it('is none for a mistake of the program', () => {
    expect(readProblem(new TypeError('x is not a function'), { isStack: true })).toBeUndefined();
    expect(readProblem('text', { isStack: false })).toBeUndefined();
  });
});
