import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Settings } from '../../infra/config.ts';
import { readStage } from '../../infra/stage.ts';
import { listResources } from '../infra/properties/property.ts';
import { readBlocks } from '../support/pages.ts';
import { synthesiseStack } from '../support/stack-template.ts';

/** The commands of docs/region-loss.md against a program in place of the AWS CLI, which writes its arguments to a file. */

const [restore = '', protect = '', print = '', takeOver = ''] = readBlocks(
  'docs/region-loss.md',
  'Continue in the second region',
);

/** Answers as the AWS CLI does. Of a value in JSON, only the quotes matter here. */
const program = `#!/bin/sh
printf '%s\\n' "$*" >> "$CALLS"
case "$*" in
  *list-recovery-points*) echo '"arn:aws:backup:eu-central-1:123456789012:recovery-point:one"' ;;
  *describe-table*) echo "arn:aws:dynamodb:eu-central-1:123456789012:table/$4/stream/2026-11-29" ;;
  *get-secret-value*) echo 'ci:token' ;;
  *put-secret-value*) cat >> "$CALLS" ;;
esac
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'region-loss-'));
  writeFileSync(join(folder, 'aws'), program);
  chmodSync(join(folder, 'aws'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true }));

const paste = (script: string) => {
  const calls = join(folder, 'calls');
  writeFileSync(calls, '');
  const env = { PATH: [folder, process.env['PATH']].join(delimiter), CALLS: calls };
  // With a socket as standard input, bash would read its start-up files, as for a remote shell.
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const ended = spawnSync('bash', ['-eu', '-c', script], {
    env,
    stdio: [...stdio],
    encoding: 'utf8',
  });
  expect([ended.status, ended.stderr]).toEqual([0, '']);
  return { stdout: ended.stdout, calls: readFileSync(calls, 'utf8').trim().split('\n') };
};

const findNames = (calls: readonly string[], pattern: RegExp): Set<string> =>
  new Set(calls.flatMap((call) => pattern.exec(call)?.[1] ?? []));

it('prints settings that a file of a stage takes, for the tables that the steps before restored', () => {
  const { stdout } = paste(print);
  writeFileSync(join(folder, 'prod.json'), `{ ${stdout} }`);

  const { restoredTables, restoredStreams } = Settings.parse(
    readStage({ stage: 'prod' }, folder).context,
  );

  const names = new Set(Object.values(restoredTables));
  expect(names.size).toBe(8);
  expect(findNames(paste(restore).calls, /"targetTableName":"([^"]+)"/)).toEqual(names);
  const { calls } = paste(protect);
  expect(findNames(calls, /--table-name (\S+) --deletion-protection-enabled/)).toEqual(names);
  const streamed = Object.values(restoredStreams).map((arn) => arn.split('/')[1]);
  expect(findNames(calls, /--table-name (\S+) --stream-specification/)).toEqual(new Set(streamed));
});

it('asks for the newest copy by a query over all pages of the answer', () => {
  const lists = paste(restore).calls.filter((call) => call.includes('list-recovery-points'));
  const tables = listResources(synthesiseStack(), 'AWS::DynamoDB::GlobalTable');

  // With `--output text`, the AWS CLI applies a query to each page, and prints a line for each.
  for (const call of lists) expect(call).toContain('--output json');
  const parts = findNames(lists, /contains\(ResourceArn, '(\w+)'\)/);
  expect(parts.size).toBe(8);
  for (const part of parts) expect(tables.filter(({ id }) => id.startsWith(part))).toHaveLength(1);
  // The tables of a second region have the names that these steps gave them.
  const endings = [...findNames(lists, /ends_with\(ResourceArn, '([\w-]+)'\)/)];
  const restored = [...findNames(paste(restore).calls, /"targetTableName":"([^"]+)"/)];
  expect(endings.every((end, at) => restored[at]?.endsWith(end))).toBe(true);
  expect(endings).toHaveLength(8);
});

it('starts each restore from the ARN alone', () => {
  const starts = paste(restore).calls.filter((call) => call.includes('start-restore-job'));

  for (const call of starts) expect(call).toMatch(/--recovery-point-arn arn:\S+:one --iam/);
});

it('passes the token list on without an argument that other processes see', () => {
  const { calls } = paste(`TokensSecretArn=arn\n${takeOver}`);

  expect(calls.filter((call) => call.includes('ci:token'))).toEqual(['ci:token']);
  const [secret] = listResources(synthesiseStack(), 'AWS::SecretsManager::Secret');
  expect(secret?.id).toContain('Tokens');
});
