import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { TestRegistry } from '../support/registry.ts';
import { requestSubmission } from '../support/request-submission.ts';

const token = 'a-token-of-more-than-thirty-two-characters';
const lodash = (version: string) => ({ ecosystem: 'npm', name: 'lodash', version }) as const;

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start({ tokens: `ana:${token}`, licenses: true, indexing: true });
  commandLine = CommandLine.install({ REGISTRY_URL: registry.url, REGISTRY_TOKEN: token });
  const of = lodash('4.17.20');
  await requestSubmission(registry, lodash('4.17.21'), { cause: 'update', of });
  await requestSubmission(registry, lodash('4.17.22'), { cause: 'update', of });
  const fixes = ['CVE-2026-1'];
  await requestSubmission(registry, lodash('4.17.23'), { cause: 'security_fix', of, fixes });
  await requestSubmission(
    registry,
    { ...lodash('1.0.0'), name: 'needed' },
    { cause: 'dependency', of },
  );
  await eventually(async () => {
    const { body } = await registry.get('/api/v1/reviews');
    expect([body.older_updates, body.reviews.length]).toEqual([2, 2]);
  });
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const run = (args: readonly string[], stdin = '') => commandLine.run(args, { stdin });

it('queue shows why the registry submitted a version, and how many older updates there are', async () => {
  const { stdout } = await run(['queue']);

  expect(stdout).toContain('npm:lodash@4.17.23 (security fix of 4.17.20; 2 older updates)');
  expect(stdout).toContain('npm:needed@1.0.0 (dependency of npm:lodash@4.17.20)');
  expect(stdout).not.toContain('npm:lodash@4.17.22');
});

it('queue --cause lists the versions of one cause', async () => {
  const { stdout } = await run(['queue', '--cause', 'security_fix', '-o', 'name']);

  expect(stdout).toBe('npm:lodash@4.17.23\n');
});

it('show --evidence shows the cause, with the vulnerabilities that a security fix ends', async () => {
  const { stdout } = await run(['show', 'npm:lodash@4.17.23', '--evidence']);

  expect(stdout).toMatch(/^Why submitted +security fix of 4\.17\.20: CVE-2026-1$/m);
});

it('a pipe of queue and approve leaves the older updates pending', async () => {
  const { stdout } = await run(['queue', '--all', '-o', 'name']);

  const approved = await run(['approve', '-', '--reason', 'Read'], stdout);

  expect(approved.code).toBe(0);
  const { body } = await registry.get('/api/v1/packages?status=pending');
  expect(body.packages.map(({ version }: { version: string }) => version)).toEqual([
    '4.17.21',
    '4.17.22',
  ]);
});
