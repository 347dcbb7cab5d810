import { describe, expect, it } from 'vitest';
import { cleanedSheet } from '../../../../infra/cli/commands/installation/cleaned-sheet.ts';

const STACK = 'crm-rehearsal-abc';
const shown = (cleaned: Parameters<typeof cleanedSheet>[0]) => {
  const { json, body = [], notes = [] } = cleanedSheet(cleaned);
  return { json, body: body.join('\n'), notes: notes.length };
};

describe('the sheet of rehearse clean', () => {
  it('names the removed stack and counts the removed records', () => {
    const { json, body, notes } = shown({ stack: STACK, records: 2 });
    expect(json).toEqual({ found: 2, stack: STACK });
    expect(body).toContain(STACK);
    expect(body).toMatch(/\b2 records\b/);
    expect(notes).toBe(0);
  });

  it('names no stack when none was removed', () => {
    const { json, body } = shown({ records: 1 });
    expect(json).toEqual({ found: 1 });
    expect(body).toMatch(/\b1 record\b/);
    expect(body).not.toContain('stack');
  });

  it('names the stack when HubSpot holds no record', () => {
    const { json, body } = shown({ stack: STACK, records: 0 });
    expect(json).toEqual({ found: 0, stack: STACK });
    expect(body.split('\n')).toHaveLength(2);
  });

  it('claims nothing about HubSpot when HubSpot was not cleaned', () => {
    const { json, body, notes } = shown({ stack: STACK });
    expect(json).toEqual({ stack: STACK });
    expect(body).not.toContain('record of');
    expect(body.split('\n')).toHaveLength(1);
    expect(notes).toBe(1);
  });
});
