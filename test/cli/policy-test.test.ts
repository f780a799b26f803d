import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { TestRegistry } from '../support/registry.ts';

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start();
  commandLine = CommandLine.install();
  for (const name of ['nginx', 'redis', 'acme/tool']) {
    await registry.submit({ ecosystem: 'docker', name, version: '1.0.0' });
  }
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const policy = {
  rules: [
    { name: 'ours', when: { names: ['acme/*'] }, then: 'approve' },
    { name: 'web', when: { names: ['ngin*'] }, then: 'hold' },
    { name: 'idle', when: { ecosystems: ['pypi'] }, then: 'reject' },
  ],
};

const run = (args: readonly string[], stdin: unknown = policy) =>
  commandLine.run(['policy', 'test', ...args], {
    stdin: typeof stdin === 'string' ? stdin : JSON.stringify(stdin),
    env: { REGISTRY_URL: registry.url },
  });

it('shows how many versions each rule decides, and the result of each version', async () => {
  const { code, stdout, stderr } = await run(['-']);

  expect(code).toBe(0);
  const lines = stdout.split('\n').map((line) => line.trim().split(/\s{2,}/));
  expect(lines).toEqual(
    expect.arrayContaining([
      ['RULE', 'APPROVE', 'REJECT', 'HOLD', 'UNDECIDED'],
      ['ours', '1', '0', '0', '0'],
      ['web', '0', '0', '1', '0'],
      ['idle', '0', '0', '0', '0'],
      ['(none)', '0', '0', '0', '1'],
      ['approve', 'ours', 'docker:acme/tool@1.0.0'],
    ]),
  );
  expect(stderr).toBe(
    '3 pending: 1 to approve, 0 to reject, 1 to hold; 0 wait for missing facts or for their age.\n',
  );
});

it('shows the same as JSON', async () => {
  const json = JSON.parse((await run(['-', '--json'])).stdout);
  const lines = (await run(['-', '--jsonl'])).stdout.trim().split('\n');

  expect(json.rules.at(-1)).toEqual({ rule: null, approve: 0, reject: 0, hold: 0, undecided: 1 });
  expect(lines.map((line) => JSON.parse(line))).toEqual(json.results);
  expect(json.results).toHaveLength(3);
});

it('refuses an invalid policy file rule by rule, without a request', async () => {
  const wrong = { rules: [{ name: 'a', when: { scans: [] }, then: 'hold' }, { name: 'b' }] };
  const file = join(commandLine.folder, 'policy.json');
  writeFileSync(file, JSON.stringify(wrong));

  const { code, stderr } = await run([file]);

  expect(code).toBe(2);
  expect(stderr).toContain('rule 1 (a): when knows no scans');
  expect(stderr).toContain('rule 2 (b): when must be an object of conditions');
  expect(stderr).toContain('docs/policy.md');
  expect((await run(['nowhere.json'])).code).toBe(2);
});
