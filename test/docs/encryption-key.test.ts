import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const page = readFileSync('docs/encryption-key.md', 'utf8');

interface Statement {
  readonly Sid: string;
  readonly Principal: { readonly Service?: string | readonly string[] };
}

it('writes a valid policy with the services that need one', () => {
  const [block = ''] = /^cat > .*?^EOF$/ms.exec(page) ?? [];
  const print = block.replace('cat > key-policy.json', 'cat');
  const env = { ...process.env, ACCOUNT: '123456789012', REGION: 'eu-west-1' };

  const policy = JSON.parse(execFileSync('/bin/sh', ['-c', print], { env, encoding: 'utf8' }));

  expect(policy.Statement.map(({ Sid, Principal }: Statement) => [Sid, Principal.Service])).toEqual(
    [
      ['Account', undefined],
      ['Logs', 'logs.eu-west-1.amazonaws.com'],
      ['EventsAndAlarms', ['events.amazonaws.com', 'cloudwatch.amazonaws.com']],
    ],
  );
  expect(JSON.stringify(policy)).toContain('arn:aws:logs:eu-west-1:123456789012:log-group:*');
});
