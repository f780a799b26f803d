import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('compiles, and refuses to compile what test/types says must not', () => {
  const { status, stdout } = spawnSync('tsc', ['--project', 'tsconfig.json'], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `node_modules/.bin:${process.env['PATH']}` },
  });

  expect(stdout).toBe('');
  expect(status).toBe(0);
});
