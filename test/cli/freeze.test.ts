import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { TestRegistry } from '../support/registry.ts';

const before = '2026-01-01T00:00:00Z';
const reason = 'Malware in npm';

let commandLine: CommandLine;
let registry: TestRegistry;
beforeAll(async () => {
  commandLine = CommandLine.install();
  registry = await TestRegistry.start({ events: true });
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const run = (...args: string[]) => commandLine.run(args, { env: { REGISTRY_URL: registry.url } });

it('freezes the registry, shows it, and lifts the freeze', async () => {
  const frozen = await run('freeze', '--before', before, '--reason', reason);
  const shown = await run('freeze', 'show', '--json');
  const status = await run('status');
  const checked = await run('check', 'npm:left-pad@1.3.0', '--allow', 'unknown');
  const lifted = await run('unfreeze');
  const again = await run('unfreeze');

  expect([frozen.code, frozen.stderr]).toEqual([0, '']);
  expect(frozen.stdout).toMatch(/^The registry is frozen\.\n.*Reason +Malware in npm$/ms);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    freeze: { before: '2026-01-01T00:00:00.000Z', reason },
  });
  expect(status.stdout).toMatch(/^Frozen +since 20.*: Malware in npm$/m);
  expect(checked.code).toBe(1);
  expect(checked.stdout).toContain(reason);
  expect(checked.stderr).toContain('npm:left-pad@1.3.0 is not allowed: frozen.');
  expect([lifted.code, lifted.stdout]).toEqual([0, 'The registry is not frozen.\n']);
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringContaining('The registry is not frozen.'),
  ]);
  expect((await run('freeze', 'show')).stdout).toBe('The registry is not frozen.\n');
});

it('lists both changes among the events', async () => {
  const list = async () => (await run('events', '--last', '2')).stdout;

  await expect.poll(list).toMatch(/registry unfrozen/);
  const lines = (await list()).trim().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/ registry frozen .*for versions after 2026-01-01T00:00:00Z "Malware/),
    expect.stringMatching(/ registry unfrozen .*"Malware in npm"$/),
  ]);
});

it('does not accept a frozen version by a baseline', async () => {
  const listed = await run('check', 'npm:left-pad@1.3.0', '--json');
  const file = join(commandLine.folder, 'baseline.json');
  writeFileSync(file, listed.stdout);

  const earlier = await run('check', 'npm:left-pad@1.3.0', '--baseline', file);
  await run('freeze', '--before', before, '--reason', reason);
  const during = await run('check', 'npm:left-pad@1.3.0', '--baseline', file);
  await run('unfreeze');

  expect([earlier.code, during.code]).toEqual([0, 1]);
});

it('needs a time and a reason', async () => {
  const { code, stderr } = await run('freeze');

  expect(code).toBe(2);
  expect(stderr).toMatch(/before/);
});
