import { describe, expect, it } from 'vitest';
import { fateOf } from '#inside/enrichment/write-back/by-history.ts';
import { createNormalise } from '#shared/field-policy';
import type { PropertyVersion } from '#shared/hubspot';
import { definitionOf, definitionsOf } from '../../field-policy/definitions.ts';

const normalise = createNormalise(definitionsOf(definitionOf('city')));

/** `ours:Ulm`, `app:Ulm` of another app, `person:` for a blank by a person; newest first. */
function fate(history: readonly string[], { before = null as string | null, knowsApp = true } = {}) {
  const versions = history.map((text) => {
    const [who, value = ''] = text.split(':');
    if (who === 'person') return { value, timestampMs: 0, sourceType: 'CRM_UI', sourceId: 'userId:1' };
    return { value, timestampMs: 0, sourceType: 'INTEGRATION', sourceId: who === 'ours' ? '7' : '8' };
  });
  const change = { property: 'city', before, after: 'Ulm', state: 'planned' } as const;
  const found = fateOf(change, { versions, ownAppId: knowsApp ? '7' : undefined, normalise });
  return found.kind === 'overwrote' ? `overwrote ${found.lost || 'a blank'}` : found.kind;
}

it.each([
  { history: [], is: 'absent' },
  { history: ['person:Ulm'], is: 'absent' },
  { history: ['person:Bonn'], is: 'absent' },
  { history: ['app:Ulm'], is: 'absent' },
  { history: ['ours:Ulm'], is: 'arrived' },
  { history: ['ours:Ulm', 'person:'], is: 'arrived' },
  { history: ['ours:Ulm', 'ours:Kiel'], before: 'Kiel', is: 'arrived' },
  { history: ['ours:Kiel'], before: 'Kiel', is: 'absent' },
  { history: ['ours:Ulm', 'person:Bonn', 'person:'], is: 'overwrote Bonn' },
  { history: ['ours:Ulm', 'person:', 'ours:Kiel'], before: 'Kiel', is: 'overwrote a blank' },
  // Two attempts arrived, and somebody wrote between them.
  { history: ['ours:Ulm', 'person:Bonn', 'ours:Ulm'], is: 'overwrote Bonn' },
  { history: ['ours:Ulm', 'person:', 'ours:Ulm'], is: 'overwrote a blank' },
  { history: ['person:Bonn', 'ours:Ulm'], is: 'overtaken' },
  { history: ['person:', 'ours:Ulm'], is: 'overtaken' },
  { history: ['app:Bonn', 'ours:Ulm'], is: 'overtaken' },
])('a write of Ulm over $before with the history $history is $is', ({ history, before, is }) => {
  expect(fate(history, { before: before ?? null })).toBe(is);
});

describe('what a person wrote since we had read, by HubSpot’s clock', () => {
  const at = (value: string, timestampMs: number, sourceId?: string) => ({
    value,
    timestampMs,
    sourceId,
    sourceType: sourceId === undefined ? 'CRM_UI' : 'INTEGRATION',
  });
  const change = { property: 'city', before: null, after: 'Ulm', state: 'planned', seenAtMs: 10 } as const;
  const fateIn = (versions: readonly PropertyVersion[]) =>
    fateOf(change, { versions, ownAppId: '7', normalise });

  it('is taken by a late write, also where it is the blank that we had read', () => {
    expect(fateIn([at('Ulm', 30, '7'), at('', 20), at('Bonn', 15)])).toMatchObject({
      kind: 'overwrote',
      lost: '',
    });
    expect(fateIn([at('Ulm', 30, '7'), at('', 9), at('Bonn', 5)])).toMatchObject({ kind: 'arrived' });
  });

  it('is known where another value of ours came over it: the newest of two values counts', () => {
    const lost = [at('Kiel', 40, '7'), at('Trier', 30), at('Ulm', 20, '7'), at('Bonn', 15)];
    expect(fateIn(lost)).toEqual({ kind: 'absent', ours: 'Kiel', lost: 'Trier' });
    expect(fateIn([at('Kiel', 40, '7'), at('Bonn', 9)])).toEqual({ kind: 'absent', ours: 'Kiel' });
  });
});

it('takes any integration that wrote the very value for us, where our id is not known', () => {
  expect(fate(['app:Ulm'], { knowsApp: false })).toBe('arrived');
  expect(fate(['person:Ulm'], { knowsApp: false })).toBe('absent');
});
