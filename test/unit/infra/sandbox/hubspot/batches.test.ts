import { describe, expect, it } from 'vitest';
import { type Account, born, COMPANIES, CONTACTS, openAccount } from './account.ts';

async function companies(account: Account, count: number): Promise<string[]> {
  const inputs = Array.from({ length: count }, (_, index) => ({ properties: { name: `Acme ${index}` } }));
  const { status, body } = await account.call('POST', `${COMPANIES}/batch/create`, { inputs });
  expect(status).toBe(201);
  return body.results.map((one) => one.id);
}

const update = (account: Account, inputs: unknown) =>
  account.call('POST', `${COMPANIES}/batch/update`, { inputs });
const read = (account: Account, body: object) =>
  account.call('POST', `${COMPANIES}/batch/read`, {
    properties: ['name', 'city'],
    propertiesWithHistory: [],
    ...body,
  });

describe('batch read', () => {
  it('gives what it found and a 207 that names what it did not', async () => {
    const account = openAccount();
    const ids = await companies(account, 2);
    const { status, body } = await read(account, { inputs: [...ids, '1', '2'].map((id) => ({ id })) });
    expect(status).toBe(207);
    expect(body.results.map((one) => one.id)).toEqual(ids);
    expect(body.numErrors).toBe(1);
    expect(body.errors).toMatchObject([{ category: 'OBJECT_NOT_FOUND', context: { ids: ['1', '2'] } }]);
  });

  it('takes 100 ids, 50 with history, and none twice', async () => {
    const account = openAccount();
    const ids = await companies(account, 100);
    const inputs = ids.map((id) => ({ id }));
    expect((await read(account, { inputs })).status).toBe(200);
    expect((await read(account, { inputs: [...inputs, { id: '1' }] })).status).toBe(400);
    const withHistory = await read(account, { inputs: inputs.slice(0, 51), propertiesWithHistory: ['name'] });
    expect(withHistory.status).toBe(400);
    const half = await read(account, { inputs: inputs.slice(0, 50), propertiesWithHistory: ['name'] });
    expect(half.body.results[0]?.propertiesWithHistory.name).toHaveLength(1);
    const twice = await read(account, { inputs: [{ id: ids[0] }, { id: ids[0] }] });
    expect(twice.body).toMatchObject({ category: 'VALIDATION_ERROR', context: { ids: [ids[0]] } });
  });

  it('finds contacts by address', async () => {
    const account = openAccount();
    const id = await born(account, 'contact', { email: 'ada@example.com' });
    const body = { idProperty: 'email', properties: [], inputs: [{ id: 'ada@example.com' }] };
    expect((await account.call('POST', `${CONTACTS}/batch/read`, body)).body.results[0]?.id).toBe(id);
  });
});

describe('batch update', () => {
  it('writes nothing when one input is invalid and not every input has a trace', async () => {
    const account = openAccount();
    const [one, two] = await companies(account, 2);
    const { status, body } = await update(account, [
      { id: one, properties: { city: 'Ulm' }, objectWriteTraceId: 'a' },
      { id: two, properties: { industry: 'Software', numberofemployees: 'many' } },
    ]);
    expect(status).toBe(400);
    expect(body.errors).toHaveLength(2);
    expect(JSON.stringify(body)).not.toContain(two);
    const after = await read(account, { inputs: [{ id: one }] });
    expect(after.body.results[0]?.properties.city).toBeNull();
  });

  it('fails the guilty input alone when each has a trace of its own', async () => {
    const account = openAccount();
    const [one, two] = await companies(account, 2);
    const { status, body } = await update(account, [
      { id: one, properties: { city: 'Ulm' }, objectWriteTraceId: 'a' },
      { id: two, properties: { industry: 'Software' }, objectWriteTraceId: 'b' },
    ]);
    expect(status).toBe(207);
    expect(body.results).toMatchObject([{ id: one, objectWriteTraceId: 'a', properties: { city: 'Ulm' } }]);
    expect(body.errors).toMatchObject([
      { status: 'error', category: 'VALIDATION_ERROR', context: { objectWriteTraceId: ['b'] } },
    ]);
    expect(body.errors[0]?.errors[0]?.code).toBe('INVALID_OPTION');
  });

  it('fails as a whole in spite of traces when the account knows them for creations only', async () => {
    const account = openAccount({ settings: { partialBatches: ['create'] } });
    const [one] = await companies(account, 1);
    const { status } = await update(account, [
      { id: one, properties: { industry: 'Software' }, objectWriteTraceId: 'a' },
    ]);
    expect(status).toBe(400);
  });

  it('names unknown ids in a 207 and writes the others', async () => {
    const account = openAccount();
    const [one] = await companies(account, 1);
    const { status, body } = await update(account, [
      { id: one, properties: { city: 'Ulm' } },
      { id: '1', properties: { city: 'Ulm' } },
    ]);
    expect(status).toBe(207);
    expect(body.results).toHaveLength(1);
    expect(body.errors).toMatchObject([{ category: 'OBJECT_NOT_FOUND', context: { ids: ['1'] } }]);
  });

  it('refuses an id that comes twice, and more than 100 inputs', async () => {
    const account = openAccount();
    const [one] = await companies(account, 1);
    const twice = await update(account, [
      { id: one, properties: {}, objectWriteTraceId: 'a' },
      { id: one, properties: {}, objectWriteTraceId: 'b' },
    ]);
    expect(twice.status).toBe(400);
    expect(twice.body.message).toContain(String(one));
    const many = Array.from({ length: 101 }, (_, index) => ({ id: String(index), properties: {} }));
    expect((await update(account, many)).status).toBe(400);
  });
});

describe('batch create', () => {
  it('creates the good ones and says which were bad', async () => {
    const account = openAccount();
    const inputs = ['ada@example.com', 'nobody', 'ada@example.com'].map((email, index) => ({
      properties: { email },
      objectWriteTraceId: `trace-${index}`,
    }));
    const { status, body } = await account.call('POST', `${CONTACTS}/batch/create`, { inputs });
    expect(status).toBe(207);
    expect(body.results).toMatchObject([{ objectWriteTraceId: 'trace-0' }]);
    expect(body.errors.map((one) => one.category)).toEqual(['VALIDATION_ERROR', 'CONFLICT']);
  });

  it('creates none when two have one address and no traces', async () => {
    const account = openAccount();
    const inputs = ['ada@example.com', 'ADA@example.com'].map((email) => ({ properties: { email } }));
    expect((await account.call('POST', `${CONTACTS}/batch/create`, { inputs })).status).toBe(400);
    expect((await account.call('GET', CONTACTS)).body.results).toEqual([]);
  });
});
