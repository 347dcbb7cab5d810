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
    [refusal('AccessDeniedException', NOT_ALLOWED), 'not-allowed', { action: 'dynamodb:Query' }],
    [refusal('ExpiredTokenException'), 'not-signed-in', { name: 'ExpiredTokenException' }],
    [Object.assign(new Error('none'), { name: 'CredentialsProviderError' }), 'not-signed-in', {}],
    [refusal('ResourceNotFoundException'), 'table-gone', { name: 'ResourceNotFoundException' }],
    [refusal('InternalServerError'), 'tables-silent', { name: 'InternalServerError' }],
    [Object.assign(refusal('Error'), { code: 'ECONNREFUSED' }), 'tables-silent', { name: 'ECONNREFUSED' }],
  ])('has its cause, and no person: %s', (error, code, params) => {
    const problem = readProblem(error, { isStack: true });
    expect(problem).toMatchObject({ code, params });
    expect(problem?.message).not.toContain('a-person');
  });

  it('is that of an error that explains itself', () => {
    const error = new UpstreamError({ code: 'CLOCK_WRONG', message: 'Set the clock', retryable: true });
    expect(readProblem(error, { isStack: true })).toMatchObject({ code: 'CLOCK_WRONG' });
  });

  it('is none for a mistake of the program', () => {
    expect(readProblem(new TypeError('x is not a function'), { isStack: true })).toBeUndefined();
    expect(readProblem('text', { isStack: false })).toBeUndefined();
  });
});
