import { describe, expect, it } from 'vitest';
import { cleanedSheet } from '../../../../infra/cli/commands/installation/cleaned-sheet.ts';

const STACK = 'crm-rehearsal-abc';
const shown = (cleaned: Parameters<typeof cleanedSheet>[0]) => {
  const { json, body = [], notes = [] } = cleanedSheet(cleaned);
  return { json, body: body.join('\n'), notes: notes.length };
};

describe('the sheet of rehearse clean', () => {
  it('names the removed stack and counts the removed records', () => {
    const { json, body, notes } = shown({ stack: STACK, records: 2, hadSteps: false });
    expect(json).toEqual({ found: 2, stack: STACK });
    expect(body).toContain(STACK);
    expect(body).toMatch(/\b2 records\b/);
    expect(notes).toBe(0);
  });

  it('names no stack when none was removed', () => {
    const { json, body } = shown({ records: 1, hadSteps: false });
    expect(json).toEqual({ found: 1 });
    expect(body).toMatch(/\b1 record\b/);
    expect(body).not.toContain('stack');
  });

  it('names the stack when HubSpot holds no record', () => {
    const { json, body } = shown({ stack: STACK, records: 0, hadSteps: false });
    expect(json).toEqual({ found: 0, stack: STACK });
    expect(body.split('\n')).toHaveLength(2);
  });

  it('says that the next rehearsal begins with step 1 when it forgot finished steps', () => {
    expect(shown({ records: 1, hadSteps: true }).notes).toBe(1);
  });

  it('claims no removal when there was no journal and no token', () => {
    const { json, body, notes } = shown({ hadSteps: false });
    expect(json).toEqual({});
    expect(body).not.toContain('record of a rehearsal was found');
    expect(notes).toBe(1);
  });

  it('claims nothing about HubSpot when HubSpot was not cleaned', () => {
    const { json, body, notes } = shown({ stack: STACK, hadSteps: false });
    expect(json).toEqual({ stack: STACK });
    expect(body).not.toContain('record of');
    expect(body.split('\n')).toHaveLength(1);
    expect(notes).toBe(1);
  });
});
