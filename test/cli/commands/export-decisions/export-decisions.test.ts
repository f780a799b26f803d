import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csvHead, formatCsv } from '../../../../cli/commands/export-decisions/csv.ts';
import { approvalEvent } from '../../../../shared/api/openapi/examples/memory.ts';
import type { RegistryEvent } from '../../../../shared/api/schemas/event.ts';
import { CommandLine } from '../../../support/command-line.ts';
import { until } from '../../../support/eventually.ts';
import { packagePath, TestRegistry } from '../../../support/registry.ts';
import { json, problem, type Scene, startScripted } from '../../../support/scripted-server.ts';

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start({ licenses: true, events: true });
  commandLine = CommandLine.install();
  for (const name of ['a-pad', 'b-pad']) {
    await registry.submit({ ecosystem: 'npm', name, version: '1.0.0' });
  }
  const reason = '=1+1, "quoted"\nsecond line';
  await registry.post(packagePath('a-pad', '/approve'), { reason, approved_by: 'ana@example.com' });
  await registry.post(packagePath('b-pad', '/reject'), { reason: '@sum' });
  await registry.send('PUT', '/api/v1/licenses/GPL-3.0-only', {
    body: { status: 'rejected', note: 'Not for us' },
  });
  await until(async () => (await registry.get('/api/v1/events')).body.events.length === 5);
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const run = (args: readonly string[], url = registry.url) =>
  commandLine.run(['export', 'decisions', ...args], { env: { REGISTRY_URL: url } });

const parseLines = (text: string): RegistryEvent[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Reads CSV by RFC 4180, into fields of each record. */
const parseCsv = (text: string): string[][] => {
  const records: string[][] = [];
  let record: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g,
  )) {
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
};

describe('export decisions', () => {
  it('writes decisions as the events of the API, without submissions', async () => {
    const { code, stdout, stderr } = await run(['--since', '1d']);

    const { body } = await registry.get('/api/v1/events');
    expect(code).toBe(0);
    expect(stderr).toBe('3 decisions among 5 events.\n');
    expect(parseLines(stdout)).toEqual(body.events.slice(2));
    expect(parseLines(stdout).map(({ type }) => type)).toEqual([
      ...['package.approved', 'package.rejected', 'license.decided'],
    ]);
  });

  it('writes CSV with the same values, and without formulas', async () => {
    const file = join(commandLine.folder, 'year/decisions.csv');

    const { code, stdout } = await run(['--since', '1d', '--format', 'csv', '--file', file]);

    const [head = [], ...records] = parseCsv(readFileSync(file, 'utf8'));
    const rows = records.map((record) =>
      Object.fromEntries(head.map((name, at) => [name, record[at]])),
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(readdirSync(join(commandLine.folder, 'year'))).toEqual(['decisions.csv']);
    expect(rows).toMatchObject([
      {
        sequence: '3',
        name: 'a-pad',
        by: 'ana@example.com',
        reason: '\'=1+1, "quoted"\nsecond line',
      },
      { sequence: '4', name: 'b-pad', reason: "'@sum" },
      { sequence: '5', name: '', license: 'GPL-3.0-only', to: 'rejected' },
    ]);
  });

  it.each([
    ['before the period', ['--since', '2000-01-01', '--until', '2001-01-01'], 0],
    ['after the period', ['--since', '2999-01-01'], 0],
    ['in the period', ['--since', '2000-01-01', '--until', '2999-01-01'], 3],
  ])('selects by the time of the decision: %s', async (_, args, count) => {
    const { stdout } = await run(args);

    expect(parseLines(stdout)).toHaveLength(count);
  });

  it.each([
    ['no start', [], /'--since <time>' not specified/],
    ['a start that is no time', ['--since', 'yesterday'], /It must be a duration such as/],
    ['another format', ['--since', '1d', '--format', 'xml'], /Allowed choices are jsonl, csv/],
    ['one document', ['--since', '1d', '--json'], /JSON lines, or CSV with --format csv/],
    ['two formats', ['--since', '1d', '--jsonl', '--format', 'csv'], /JSON lines, or CSV/],
  ])('refuses %s', async (_, args, message) => {
    const { code, stderr } = await run(args);

    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

const event = (sequence: number): RegistryEvent => ({ ...approvalEvent, sequence });

const page = (...sequences: number[]): Scene =>
  json(200, { events: sequences.map(event), next: sequences.at(-1) ?? 0 });

describe('an export of many pages', () => {
  it('reads up to the last event at its start', async () => {
    const server = await startScripted(page(3), page(1, 2), page(3, 4));

    const { code, stdout } = await run(['--since', '2000-01-01'], server.url);

    await server.close();
    expect(code).toBe(0);
    expect(parseLines(stdout).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(server.received.map(({ url }) => url)).toEqual([
      '/api/v1/events?last=1',
      '/api/v1/events?after=0&limit=1000',
      '/api/v1/events?after=2&limit=1000',
    ]);
  });

  it('leaves out what follows from a decision, such as affected projects', async () => {
    const types = ['package.approved', 'package.attention', 'project.affected'] as const;
    const events = types.map((type, at) => ({ ...event(at + 1), type }));
    const server = await startScripted(page(3), json(200, { events, next: 3 }));

    const { stdout } = await run(['--since', '2000-01-01'], server.url);

    await server.close();
    expect(parseLines(stdout).map(({ type }) => type)).toEqual(['package.approved']);
  });

  it('names events that the registry has lost, and ends with 1', async () => {
    const server = await startScripted(page(9), page(1, 2, 5), page(8, 9));

    const { code, stdout, stderr } = await run(['--since', '2000-01-01'], server.url);

    await server.close();
    expect(code).toBe(1);
    expect(parseLines(stdout)).toHaveLength(5);
    expect(stderr).toContain('the registry has lost the events 3 to 4, 6 to 7.');
  });

  it.each([
    ['a page fails', problem(400, 'validation_failed'), 1],
    ['the list ends too early', json(200, { events: [], next: 2 }), 3],
  ])('leaves no file if %s', async (_, scene, expected) => {
    const server = await startScripted(page(3), page(1, 2), scene);
    const file = join(commandLine.folder, 'partial.jsonl');

    const { code } = await run(['--since', '2000-01-01', '--file', file], server.url);

    await server.close();
    expect(code).toBe(expected);
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(commandLine.folder).filter((one) => one.includes('partial'))).toEqual([]);
  });
});

describe('a record of CSV', () => {
  it.each([
    ['=cmd|x', "'=cmd|x"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@types/node', "'@types/node"],
    ['  =1', "'  =1"],
    ['a;=1', "a;'=1"],
    ['a\n@x', "a\n'@x"],
    ['\t=1', "'\t=1"],
    ['\uff1d1', "'\uff1d1"],
    ['a=b - c', 'a=b - c'],
    ['a"b', 'a"b'],
  ])('shows %j as text', (reason, expected) => {
    const [head = [], record = []] = parseCsv(`${csvHead}${formatCsv({ ...event(1), reason })}`);

    expect(record[head.indexOf('reason')]).toBe(expected);
    expect(record).toHaveLength(head.length);
  });
});
