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
    '3 pending: 1 to approve, 0 to reject, 1 to hold; 0 wait for metadata, a scan or their age, and 1 match no rule.\n',
  );
});

it('shows the same as JSON', async () => {
  const json = JSON.parse((await run(['-', '--json'])).stdout);
  const lines = (await run(['-', '--jsonl'])).stdout.trim().split('\n');

  expect(json.rules.at(-1)).toEqual({ rule: null, approve: 0, reject: 0, hold: 0, undecided: 1 });
  expect(lines.map((line) => JSON.parse(line))).toEqual(json.results);
  expect(json.results).toHaveLength(3);
});

it('says during a freeze that rules approve nothing, and still shows their decisions', async () => {
  const before = '2026-01-01T00:00:00Z';
  await registry.post('/api/v1/freeze', { before, reason: 'Malware in npm' });

  const frozen = await run(['-']);
  const json = JSON.parse((await run(['-', '--json'])).stdout);
  await registry.send('DELETE', '/api/v1/freeze');
  const lifted = await run(['-']);

  expect(frozen.stdout).toBe(lifted.stdout);
  expect(frozen.stderr).toMatch(
    /The registry has been frozen since \S+: rules approve nothing until the freeze is lifted\. Reason: Malware in npm\n$/,
  );
  expect(json.freeze).toMatchObject({ reason: 'Malware in npm' });
  expect(lifted.stderr).not.toContain('frozen');
});

it('refuses an invalid policy file rule by rule, without a request', async () => {
  const wrong = { rules: [{ name: 'a', when: { scans: [] }, then: 'hold' }, { name: 'b' }] };
  const file = join(commandLine.folder, 'policy.json');
  writeFileSync(file, JSON.stringify(wrong));

  const { code, stderr } = await run([file]);

  expect(code).toBe(2);
  expect(stderr).toContain('rule 1 (a): when knows no scans');
  expect(stderr).toContain('rule 2 (b): when must be an object of conditions');
  expect(stderr).toContain('/docs of the registry has the fields');
  expect((await run(['nowhere.json'])).code).toBe(2);
});

it('counts the first unmet condition of each rule with --why', async () => {
  const { stdout } = await run(['-', '--why']);
  const json = JSON.parse((await run(['-', '--json'])).stdout);

  const lines = stdout.split('\n').map((line) => line.trim().split(/\s{2,}/));
  expect(lines).toEqual(
    expect.arrayContaining([
      ['RULE', 'FIRST UNMET', 'VERSIONS'],
      ['ours', 'names', '2'],
      ['web', 'names', '1'],
      ['idle', 'ecosystems', '1'],
    ]),
  );
  expect(json.unmet).toContainEqual({ rule: 'ours', condition: 'names', versions: 2 });
  expect((await run(['-'])).stdout).not.toContain('FIRST UNMET');
});

it('prints what approve and reject take: each takes the versions with its decision', async () => {
  const previewed = (await run(['-', '--jsonl'])).stdout;
  const decide = (args: readonly string[]) =>
    commandLine.run(args, { stdin: previewed, env: { REGISTRY_URL: registry.url } });

  const none = await decide(['reject', '-', '--reason', 'No']);
  const dry = await decide(['approve', '-', '--dry-run']);

  expect(none).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('None of the 3 packages has the decision reject.'),
  });
  expect(dry.stderr).toContain('Skipped 2 of 3 packages: their decision is not approve.');
  expect(dry.stdout).toContain('/api/v1/packages/acme%2Ftool/approve');
  expect(dry.stdout).not.toContain('waits_for');
});

it('compares the rules with decisions of people, and shows those that differ, rejected ones first', async () => {
  const name = 'acme/other';
  for (const version of ['1.0.0', '2.0.0', '3.0.0']) {
    await registry.submit({ ecosystem: 'docker', name, version });
  }
  const decide = async (version: string, action: string, body: object) =>
    registry.post(`/api/v1/packages/acme%2Fother/${action}?version=${version}`, body);
  await decide('1.0.0', 'approve', {});
  await decide('2.0.0', 'reject', { reason: 'No' });
  await decide('3.0.0', 'approve', {});
  const rules = [
    { name: 'one', when: { names: ['acme/*'], submitters: ['nobody'] }, then: 'hold' },
    { name: 'all', when: { names: ['acme/*'] }, then: 'approve' },
  ];

  const { stdout, stderr } = await run(['-', '--decided'], { rules });
  const contrary = await run(['-', '--decided'], {
    rules: [{ name: 'none', when: {}, then: 'reject' }],
  });

  expect(stdout.split('\n').map((line) => line.trim().split(/\s{2,}/))).toEqual(
    expect.arrayContaining([
      ['BY PEOPLE', 'DECISION', 'RULE', 'PACKAGE'],
      ['rejected', 'approve', 'all', 'docker:acme/other@2.0.0'],
    ]),
  );
  expect(stdout).not.toContain('acme/other@1.0.0');
  expect(stderr).toBe(
    '3 decided by people: the rules agree on 2, would approve 1 that people rejected, would reject 0 that people approved, and leave 0 to people.\n',
  );
  expect(contrary.stderr).toContain(
    'agree on 1, would approve 0 that people rejected, would reject 2',
  );
});
