import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as sqs from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Settings } from '../../infra/config.ts';
import { type AwsStandIn, serveAws } from '../support/aws-stand-in.ts';
import { CommandLine } from '../support/command-line.ts';
import { addProgram, pasteInto, readBlocks } from '../support/pages.ts';
import { TestRegistry } from '../support/registry.ts';
import type { Ended } from '../support/warm-commands.ts';

const token = 'a-token-of-more-than-thirty-two-characters';
const streamArn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/packages-restored/stream/x';

const pages = ['deploy', 'operate', 'background-work', 'restore'].map((name) => `docs/${name}.md`);

let registry: TestRegistry;
let commandLine: CommandLine;
let aws: AwsStandIn;
let pasted: Ended;

/** The arguments of each call of the AWS CLI. */
const listCalls = (program: string): string[][] =>
  readFileSync(join(commandLine.folder, `${program}-calls`), 'utf8')
    .split('\0\n')
    .filter(Boolean)
    .map((call) => call.split('\0'));

/** CloudFormation with the outputs of a deployment of this stack, with local addresses. */
const serveOutputs = (): Promise<AwsStandIn> =>
  serveAws({
    stack: 'PackageRegistry',
    outputs: { ...registry.stack.model.outputs, ApiUrl: registry.url },
  });

/** The programs record their arguments; the AWS CLI answers the page's queries. */
const addPrograms = (): void => {
  const record = (program: string) => `printf '%s\\0' "$@" >> "$HOME/${program}-calls"
    printf '\\n' >> "$HOME/${program}-calls"`;
  addProgram(
    commandLine,
    'aws',
    `${record('aws')}
    case "$1 $2" in
      'secretsmanager get-secret-value') echo 'generated:${token},other' ;;
      'dynamodb describe-table') echo '${streamArn}' ;;
      *) echo some-answer ;;
    esac`,
  );
  addProgram(commandLine, 'npx', record('npx'));
  addProgram(
    commandLine,
    'npm',
    `${record('npm')}
    if [ "$2" = smoke ]; then exec '${process.execPath}' '${resolve('infra/smoke.ts')}' "$4"; fi
    if [ "$3" = outputs ]; then exec '${process.execPath}' '${resolve('infra/outputs.ts')}'; fi`,
  );
};

beforeAll(async () => {
  registry = await TestRegistry.start({ licenses: true, tokens: `generated:${token}` });
  commandLine = CommandLine.install();
  addPrograms();
  const script = pages.flatMap((page) => readBlocks(page)).join('\n');
  aws = await serveOutputs();
  pasted = await pasteInto(commandLine, script, aws.environment);
});
afterAll(async () => {
  commandLine.remove();
  await aws.close();
  await registry.close();
});

describe('the pages for operators, pasted in order', () => {
  it('has only working commands, with variables that a deployment sets', () => {
    expect(pasted).toMatchObject({ code: 0 });
    expect(pasted.stdout).toContain('"package-registry"');
  });

  it('checks the deployment with its first token', () => {
    expect(pasted.stdout + pasted.stderr).not.toContain('FAILED');
    expect(listCalls('npm')).toContainEqual(['run', 'smoke', '--', registry.url]);
  });

  it('sends AWS valid requests', () => {
    const shapes: Readonly<Record<string, unknown>> = { ...dynamodb, ...sqs };
    const ofTheCommand = new Set(['query', 'output']);
    const toPascal = (text: string): string =>
      text.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
    const calls = listCalls('aws').filter(([service = '']) =>
      ['dynamodb', 'sqs'].includes(service),
    );
    const unknown = calls.flatMap(([, operation = '', ...args]) => {
      if (operation === 'wait') return args[0] === 'table-exists' ? [] : [`wait ${args[0]}`];
      const name = toPascal(operation);
      const shape = shapes[`${name}Input$`] ?? shapes[`${name}Request$`];
      const members: unknown = Array.isArray(shape) ? shape[4] : [];
      return args
        .filter((arg) => arg.startsWith('--'))
        .map((arg) => arg.slice(2))
        .filter((flag) => !ofTheCommand.has(flag))
        .map(toPascal)
        .filter((member) => !Array.isArray(members) || !members.includes(member))
        .map((member) => `${name}.${member}`);
    });

    expect(calls.length).toBeGreaterThan(5);
    expect(unknown).toEqual([]);
  });

  it('names existing settings, and the stream of the restored table', () => {
    const contexts = listCalls('npx').flatMap((call) =>
      call.filter((_, at) => call[at - 1] === '-c').map((context) => context.split('=', 1)[0]),
    );
    const restored = listCalls('npx')
      .flat()
      .find((text) => text.startsWith('restoredStreams='));

    expect(['stage', ...Object.keys(Settings.in.shape)]).toEqual(expect.arrayContaining(contexts));
    expect(JSON.parse(restored?.slice('restoredStreams='.length) ?? '')).toEqual({
      packages: streamArn,
    });
  });
});
