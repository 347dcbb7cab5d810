import { expect, it } from 'vitest';
import { pictureOf } from './module-order.ts';

it('draws an arrow between two folders only where no other arrow leads there', () => {
  const modules = [
    { name: 'kernel', imports: [] },
    { name: 'crm', imports: ['kernel'] },
    { name: 'records', imports: ['crm', 'kernel'] },
  ];
  expect(pictureOf(modules).split('\n').at(-1)).toBe('records                  <- crm');
});
