import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import cdk from '../../cdk.json' with { type: 'json' };
import project from '../../package.json' with { type: 'json' };

const file = 'infra/check-node.mjs';

/** Runs the check on this Node.js, which claims to be another release. */
const checkOn = (release: string) => {
  const claim = `Object.defineProperty(process, 'versions', { value: { node: '${release}' } })`;
  const options = ['--import', `data:text/javascript,${encodeURIComponent(claim)}`, file];
  const { status, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' });
  return { status, stderr };
};

it('says in one sentence what to do, without the Node.js of the project', () => {
  const { status, stderr } = checkOn('20.19.0');

  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^Node\.js 24 or newer is needed, this is 20\.19\.0: run npm rebuild node/,
  );
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

it('accepts a newer Node.js of the system', () => {
  expect(checkOn('26.0.0')).toEqual({ status: 0, stderr: '' });
});

it('runs before the registry, the tests and a deployment', () => {
  for (const script of [project.scripts.start, project.scripts.test, cdk.app]) {
    expect(script).toMatch(new RegExp(`^node ${file} && `));
  }
});
