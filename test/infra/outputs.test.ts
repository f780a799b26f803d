import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AwsStandIn, serveAws } from '../support/aws-stand-in.ts';

const execute = promisify(execFile);

const outputs = {
  ApiUrl: 'https://api.example.com',
  FirstTokenCommand: `aws x | cut -d\\; "it's"`,
};

describe('npm run outputs', () => {
  let aws: AwsStandIn;
  beforeAll(async () => {
    aws = await serveAws({ stack: 'PackageRegistry', outputs });
  });
  afterAll(() => aws.close());

  const run = async (args: readonly string[], changed: Readonly<Record<string, string>> = {}) => {
    const env = { ...aws.environment, AWS_EC2_METADATA_DISABLED: 'true', ...changed };
    const kept = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
    const {
      stdout,
      stderr,
      code = 0,
    } = await execute(process.execPath, ['infra/outputs.ts', ...args], {
      env: { ...kept, HOME: '/nowhere' },
    }).catch((error) => error);
    return { stdout, stderr, code };
  };

  it.each([[[]], [['--stack', 'PackageRegistry']], [['--stage', 'example']]])(
    'prints variables that a shell evaluates to the outputs, with %j',
    async (args) => {
      const { stdout, code } = await run(args);
      const script = `eval "$1"; printf '%s\\n%s\\n' "$ApiUrl" "$FirstTokenCommand"`;
      const evaluated = await execute('/bin/sh', ['-c', script, 'sh', stdout]);

      expect(code).toBe(0);
      expect(evaluated.stdout).toBe(`${outputs.ApiUrl}\n${outputs.FirstTokenCommand}\n`);
    },
  );

  it.each<[string, string[], Record<string, string>, RegExp]>([
    [
      'an unknown stack',
      ['--stack', 'Other'],
      {},
      /^There is no stack Other in the region eu-west-1: name another stack/,
    ],
    [
      'no credentials',
      [],
      { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' },
      /^There are no credentials for AWS: set AWS_PROFILE, or AWS_ACCESS_KEY_ID/,
    ],
    ['no region', [], { AWS_REGION: '' }, /^No region is set: set AWS_REGION to the region/],
  ])('says in one sentence what to do with %s', async (_, args, environment, said) => {
    const { stdout, stderr, code } = await run(args, environment);

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(said);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it.each<[string[], string]>([
    [['--stack', 'a', '--stage', 'b'], 'not both'],
    [['--frob'], "Unknown option '--frob'"],
    [['--stage', 'nowhere'], 'stage must be the name of a file in infra/settings'],
  ])('explains the wrong usage %j', async (args, said) => {
    const { stderr, code } = await run(args);

    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });
});
