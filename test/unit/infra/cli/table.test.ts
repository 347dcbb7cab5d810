import { describe, expect, it } from 'vitest';
import { tableText } from '../../../../infra/cli/terminal/table.ts';

describe('a table', () => {
  it('aligns its columns, numbers to the right, without lines or colours', () => {
    const rows = [
      ['Acme', '7'],
      ['A much longer name', '1200'],
    ];
    const text = tableText({ head: ['name', 'credits'], rows, right: [1], colours: false });
    expect(text).toBe(
      'name                credits\nAcme                      7\nA much longer name     1200\n',
    );
  });

  it('paints its head where there are colours', () => {
    expect(tableText({ head: ['name'], rows: [['Acme']], colours: true })).toContain('\u001b[1mname');
  });

  it('lets no cell break its row or steer the terminal', () => {
    const rows = [['one\ntwo\u001b[2J\u0007\u202e', 'x'.repeat(500)]];
    const text = tableText({ head: ['a', 'b'], rows, colours: false });
    expect(text.trimEnd().split('\n')).toHaveLength(2);
    expect(text).toContain('one two [2J');
    expect(text).toContain(`${'x'.repeat(59)}…`);
    for (const control of ['\u001b', '\u0007', '\u202e']) expect(text).not.toContain(control);
  });

  it('fits into the terminal: the widest columns give way, numbers stay whole', () => {
    const rows = [['contacts/123', 'a reason that is longer than the line', 'another such reason', '1200']];
    const head = ['record', 'before', 'after', 'credits'];
    const text = tableText({ head, rows, right: [3], colours: false, width: 50 });
    expect(text).toBe(
      'record        before         after         credits\ncontacts/123  a reason tha…  another suc…     1200\n',
    );
  });
});
