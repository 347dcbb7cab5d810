import { describe, expect, it } from 'vitest';
import { faceFaults, type Module, pictureOf } from './faces.ts';

const module = (more: Partial<Module>): Module => {
  return { name: 'records', indexNames: 3, adapterNames: 0, imports: [], ...more };
};

describe('the faces of shared', () => {
  it('show no more names than they may', () => {
    expect(faceFaults([module({ indexNames: 31 })], {})).toEqual([
      expect.stringMatching(/^shared\/records shows 31 names in a face; 30 at most\. .* \[face-size\]$/),
    ]);
    expect(faceFaults([module({ indexNames: 30, adapterNames: 30 })], {})).toEqual([]);
    expect(faceFaults([module({ adapterNames: 41 })], { records: 40 })).toHaveLength(1);
  });

  it('lower their own limit when they become smaller', () => {
    expect(faceFaults([module({ indexNames: 39 })], { records: 40 })).toEqual([
      'shared/records shows 39 names: write 39 instead of 40 in test/layers/faces.ts. [face-size]',
    ]);
  });

  it('have an arrow only where no other arrow leads there', () => {
    const modules = [
      module({ name: 'kernel' }),
      module({ name: 'crm', imports: ['kernel'] }),
      module({ imports: ['crm', 'kernel'] }),
    ];
    expect(pictureOf(modules).split('\n').at(-1)).toBe('records           3 +  0   <- crm');
  });
});
