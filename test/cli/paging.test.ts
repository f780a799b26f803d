import { expect, it } from 'vitest';
import { readPages } from '../../cli/many/paging.ts';
import type { Output } from '../../cli/output/terminal.ts';

/** A terminal, of which all that is written to it is kept. */
const startTerminal = () => {
  const written: string[] = [];
  const output: Output = {
    isTerminal: true,
    width: 80,
    write: (text) => void written.push(text),
    style: (_, text) => text,
  };
  return { written, terminal: { out: output, err: output, warn: output.write } };
};

/** What of the last line is still to be seen. */
const lastLine = (written: readonly string[]): string =>
  written.join('').split('\r\u001b[K').at(-1) ?? '';

const pageAt = (offset: unknown) => ({ packages: [{ name: 'x' }], total: 3, offset });

it('shows how far it is while the next page is read, and nothing of it among the rows', async () => {
  const { written, terminal } = startTerminal();
  const seenByCalls: string[] = [];
  const call = async ({ query }: { query?: Readonly<Record<string, unknown>> }) => {
    seenByCalls.push(lastLine(written));
    return pageAt(query?.['offset']);
  };

  const seenByReader: string[] = [];
  for await (const _ of readPages({ readPage: call }, {}, terminal))
    seenByReader.push(lastLine(written));

  expect(seenByCalls).toEqual(['', '1 of 3 read', '2 of 3 read']);
  expect(seenByReader).toEqual(['', '', '']);
  expect(lastLine(written)).toBe('');
});

it('leaves nothing of how far it was when a page cannot be read', async () => {
  const { written, terminal } = startTerminal();
  const answers = [async () => pageAt(0), () => Promise.reject(new Error('gone'))];
  const readPage = async () => answers.shift()?.();
  const read = async () => {
    for await (const _ of readPages({ readPage }, {}, terminal));
  };

  await expect(read()).rejects.toThrow('gone');

  expect(written.join('')).toContain('1 of 3 read');
  expect(lastLine(written)).toBe('');
});

it('goes on behind a page of which no row could be read, and ends where more may come later', async () => {
  const { terminal } = startTerminal();
  const answers = [
    { history: [], next: '2026-01-31T12:00:00.000Z x' },
    { history: [{ id: 'last' }], next: null },
    { events: [{ id: 'first' }], next: 1 },
    { events: [], next: 1 },
  ];
  const asked: unknown[] = [];
  const read = async (nextParameter: string): Promise<unknown[]> => {
    const readPage = async ({ query }: { query?: Readonly<Record<string, unknown>> }) => {
      asked.push(query?.[nextParameter]);
      return answers.shift();
    };
    const rows: unknown[] = [];
    const pages = readPages({ readPage, nextParameter }, {}, terminal);
    for await (const page of pages) rows.push(...page.rows);
    return rows;
  };

  const history = await read('before');
  const events = await read('after');

  expect([history, events]).toEqual([[{ id: 'last' }], [{ id: 'first' }]]);
  expect(asked).toEqual([undefined, '2026-01-31T12:00:00.000Z x', undefined, 1]);
});
