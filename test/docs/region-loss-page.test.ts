import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { until } from '../support/eventually.ts';
import { addProgram, pasteInto, readBlocks } from '../support/pages.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

/** The last resort of docs/region-loss.md: an empty registry, rebuilt from the decisions of another. */

let first: TestRegistry;
let second: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  first = await TestRegistry.start({ events: true });
  second = await TestRegistry.start();
  commandLine = CommandLine.install();
  addProgram(commandLine, 'registry', `exec '${process.execPath}' '${commandLine.bundle}' "$@"`);
  addProgram(commandLine, 'node', `exec '${process.execPath}' "$@"`);
});
afterAll(async () => {
  commandLine.remove();
  await first.close();
  await second.close();
});

const decide = (name: string, action: string) =>
  first.post(packagePath(name, `/${action}`), { reason: 'as read' });

it('rebuilds the last decision about each version from an export', async () => {
  for (const name of ['approved', 'rejected', 'reversed', 'undecided']) {
    await first.submit({ ecosystem: 'npm', name, version: '1.0.0' });
  }
  await decide('approved', 'approve');
  await decide('rejected', 'reject');
  await decide('reversed', 'approve');
  await decide('reversed', 'reject');
  await until(async () => (await first.get('/api/v1/events')).body.events.length === 8);

  const exported = await pasteInto(
    commandLine,
    'registry export decisions --since 2000-01-01 --file decisions.jsonl',
    { REGISTRY_URL: first.url },
  );
  const [rebuild = ''] = readBlocks('docs/region-loss.md', 'From an export');
  const rebuilt = await pasteInto(commandLine, rebuild, { REGISTRY_URL: second.url });

  expect([exported.code, rebuilt.code, rebuilt.stderr]).toMatchObject([0, 0, expect.any(String)]);
  const { body } = await second.get('/api/v1/packages');
  const statuses = body.packages.map(({ name, status }: { name: string; status: string }) => [
    name,
    status,
  ]);
  expect(statuses.toSorted()).toEqual([
    ['approved', 'approved'],
    ['rejected', 'rejected'],
    ['reversed', 'rejected'],
  ]);
});
