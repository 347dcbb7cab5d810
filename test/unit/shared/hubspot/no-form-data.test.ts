import { expect, it } from 'vitest';
import NoFormData from '#inside/hubspot/transport.ts';

it('nothing is form data in a bundle, and none can be made', () => {
  expect(JSON.parse('{}') instanceof NoFormData).toBe(false);
  expect(() => new NoFormData()).toThrow();
});
