import { describe, expect, it } from 'vitest';
import { csvRecord, printableJson } from '#shared/kernel';
import { readCsv } from '#shared/kernel/adapters';

describe('a record of CSV', () => {
  it.each([
    '=HYPERLINK("https://evil.example";"Open")',
    '@SUM(1)',
    "+cmd|' /C calc'!A0",
    '-A1',
    '-1+A1',
    '\t=1',
    '\n=1',
  ])('is no formula to a spreadsheet: %j', (value) => {
    const [field = ''] = csvRecord([value]).split('\r\n');
    expect(field.replace(/^"/, '').startsWith("'")).toBe(true);
  });

  it.each(['-3', '+49 (30) 123-45', '-1,5', 'a=b', 'me@firm.example', '', '2026-11-21'])(
    'leaves numbers and texts as they are: %j',
    (value) => expect(csvRecord([value])).toBe(value.includes(',') ? `"${value}"\r\n` : `${value}\r\n`),
  );

  it('quotes what would end a field', () => {
    expect(csvRecord(['a,b', 'say "so"', 'x\ny'])).toBe('"a,b","say ""so""","x\ny"\r\n');
  });

  it('contains no character that controls a terminal or reorders text', () => {
    const shown = 'a\u001b[2Jb\u0007c\u009bd\u202ee\r\nf\u200dg';
    expect(csvRecord([shown])).toBe('"a [2Jb c d e\nf\u200dg"\r\n');
    const json = printableJson({ shown });
    for (const unsafe of ['\u001b', '\u0007', '\u009b', '\u202e']) expect(json).not.toContain(unsafe);
    expect(JSON.parse(json)).toEqual({ shown });
  });
});

describe('reading CSV', () => {
  const read = (text: string) => readCsv(new TextEncoder().encode(text));

  it('numbers each row by its first line', () => {
    const text = '\r\nsome,"x\r\ny",z\r\n\r\n,,\r\n1,2,3\r4,5,6\n';
    expect(read(text)).toEqual({
      kind: 'rows',
      rows: [
        { line: 2, fields: ['some', 'x\ny', 'z'] },
        { line: 6, fields: ['1', '2', '3'] },
        { line: 7, fields: ['4', '5', '6'] },
      ],
    });
  });

  it.each([
    ['a quote that is never closed', 'a\nb\n"c\nd\n', 3],
    ['a quote within a value', 'a\n\n"b\nb"\n5" pipe\n', 5],
    ['a value after a quote', 'sep=;\na;b\n"b"x;c\n', 3],
  ])('names the line of %s', (_, text, line) => {
    expect(read(text)).toEqual({ kind: 'damaged', line });
  });

  it('reads back what is written', () => {
    const rows = [
      ['a,b;c', 'say "so"', 'x\ny'],
      ['=1', 'ü', ''],
    ];
    const written = read(rows.map(csvRecord).join(''));
    expect(written).toMatchObject({ rows: [{ fields: rows[0] }, { fields: ["'=1", 'ü', ''] }] });
  });
});
