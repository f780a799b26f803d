import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReviewPolicy } from '../../shared/api/schemas/policy.ts';
import { CommandLine } from '../support/command-line.ts';
import { until } from '../support/eventually.ts';
import { type OsvServer, startOsvServer } from '../support/osv-server.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const policy: ReviewPolicy = {
  rules: [
    {
      name: 'known-major',
      when: { scan: ['passed'], approved_major: true },
      then: 'approve',
    },
    { name: 'copyleft', when: { license: ['rejected'] }, then: 'reject', reason: 'Its license' },
  ],
};

const token = 'reviewing-token-of-32-characters-00';

let osv: OsvServer;
let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  osv = await startOsvServer();
  registry = await TestRegistry.start({
    ...{ osvUrl: osv.url, tokens: `ann:${token}`, policy, licenses: true, events: true },
  });
  commandLine = CommandLine.install();
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
  await osv.close();
});

const submit = (name: string, version: string, license = 'MIT') =>
  registry.submit({ ecosystem: 'npm', name, version, license }, { token });

const show = async (name: string, version: string) =>
  (await registry.get(packagePath(name, `?version=${version}`))).body;

const run = (...args: readonly string[]) =>
  commandLine.run(args, { env: { REGISTRY_URL: registry.url, REGISTRY_TOKEN: token } });

it('decides on pending versions when another version of the package is approved', async () => {
  await submit('left-pad', '1.2.0');
  await submit('left-pad', '1.3.0');
  await submit('left-pad', '2.0.0');

  const { code } = await run('approve', 'npm:left-pad@1.2.0');
  await until(async () => (await show('left-pad', '1.3.0')).status === 'approved');

  expect(code).toBe(0);
  expect(await show('left-pad', '1.3.0')).toMatchObject({ approved_by: 'policy:known-major' });
  expect(await show('left-pad', '2.0.0')).toMatchObject({ status: 'pending' });
});

it('decides on pending versions after a decision on their license', async () => {
  await submit('shared', '1.0.0', 'GPL-3.0-only');

  const decided = await run('license', 'set', 'GPL-3.0-only', '--status', 'rejected');
  await until(async () => (await show('shared', '1.0.0')).status === 'rejected');

  expect(decided.code).toBe(0);
  expect(await show('shared', '1.0.0')).toMatchObject({
    ...{ rejected_by: 'policy:copyleft', reason: 'Its license' },
  });
});

it('shows the rules, and the progress of a run until it is done', async () => {
  await submit('waiting', '1.0.0');

  const applied = await run('policy', 'apply');
  const shown = await run('policy', 'show');
  const { body } = await registry.get('/api/v1/policy');

  expect(applied).toMatchObject({ code: 0 });
  expect(applied.stdout).toMatch(
    /^\d pending versions evaluated: 0 approved, 0 rejected, \d held, \d undecided\.$/m,
  );
  expect(shown.stdout).toMatch(/^known-major +approve +scan: passed; approved_major: true$/m);
  expect(body).toMatchObject({ rules: policy.rules, run: { state: 'done', failed: 0 } });
});
