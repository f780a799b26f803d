import { rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseSettings } from '../../infra/config.ts';
import { SettingsError } from '../../infra/settings-error.ts';
import { listMisplaced, readStackName } from '../../infra/stage.ts';
import { makeFastFolder } from '../support/fast-folder.ts';

const folder = makeFastFolder('stages-');
const project = makeFastFolder('project-');
const place = relative(process.cwd(), folder);
afterAll(() => {
  for (const one of [folder, project]) rmSync(one, { recursive: true });
});

/** Writes the file of a stage, and returns the settings that it gives to the command line. */
const write = (stage: string, content: unknown) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(folder, `${stage}.json`), text);
  return (commandLine: Readonly<Record<string, unknown>> = {}) =>
    parseSettings({ stage, ...commandLine }, folder);
};

describe('the settings of a stage', () => {
  it('are in its file, which overrides the defaults, and which the command line overrides', () => {
    const read = write('prod', { requireTokens: true, approvalDays: 90, tags: { team: 'a' } });

    expect(read({ approvalDays: '30' })).toMatchObject({
      requireTokens: true,
      approvalDays: 30,
      tags: { team: 'a' },
      fourEyes: false,
      stackName: 'PackageRegistry-prod',
    });
    expect(parseSettings({}, folder).stackName).toBe('PackageRegistry');
  });

  it('may name the stack', () => {
    const read = write('named', { stackName: 'Registry' });

    expect(read().stackName).toBe('Registry');
    expect(read({ stackName: 'Other' }).stackName).toBe('Other');
  });

  it('have the defaults of the preset in the file', () => {
    expect(write('preset', { reviewPolicy: 'balanced@2' })().minimumAgeDays).toBe(7);
  });

  it.each<[string, string, unknown, Record<string, unknown>, RegExp]>([
    ['no JSON', 'broken', '{', {}, /^FILE: cannot be read: /],
    ['no object', 'list', [], {}, /^FILE: must be a JSON object of settings$/],
    ['an unknown setting', 'typo', { forEyes: true }, {}, /^FILE: forEyes is unknown; there are /],
    [
      'a wrong value',
      'wrong',
      { approvalDays: 'x' },
      {},
      /^FILE: approvalDays must be a number of days$/,
    ],
    [
      'a wrong value of the command line',
      'right',
      { approvalDays: 90 },
      { approvalDays: 'x' },
      /^approvalDays must be a number of days$/,
    ],
    [
      'a missing partner',
      'half',
      { fourEyes: true },
      {},
      /^FILE: requireTokens is required: fourEyes identifies people by their tokens$/,
    ],
    [
      'what a deployment loosens',
      'open',
      { loosen: 'fourEyes' },
      {},
      /^FILE: loosen is for one deployment: use -c$/,
    ],
    ['another stage', 'next', { stage: 'prod' }, {}, /^FILE: stage is for one deployment: use -c$/],
    ["CDK's own context", 'flags', { 'aws:cdk:x': 1 }, {}, /^FILE: aws:cdk:x is no setting/],
  ])('are rejected in one line with %s', (_, stage, content, commandLine, message) => {
    const read = write(stage, content);
    const pattern = message.source.replace('FILE', `${place}/${stage}\\.json`);

    expect(() => read(commandLine)).toThrow(SettingsError);
    expect(() => read(commandLine)).toThrow(new RegExp(pattern));
  });

  it.each(['nowhere', '../settings/prod', '', 7])(
    'are rejected for the unknown stage %j',
    (stage) => {
      write('prod', {});

      expect(() => parseSettings({ stage }, folder)).toThrow(
        `stage must be the name of a file in ${place}, without .json; there are `,
      );
    },
  );

  it('have an example, whose stack is known by its stage', () => {
    expect(parseSettings({ stage: 'example' })).toMatchObject({
      environment: 'production',
      fourEyes: true,
    });
    expect(readStackName('example')).toBe('PackageRegistry');
  });

  it('are nowhere else', () => {
    const context = { '@aws-cdk/core:x': true, fourEyes: true };
    writeFileSync(join(project, 'cdk.json'), JSON.stringify({ context }));
    const remembered = { 'availability-zones:account=1': ['a'], loosen: 'fourEyes' };
    writeFileSync(join(project, 'cdk.context.json'), JSON.stringify(remembered));

    expect(listMisplaced(project)).toEqual([
      'fourEyes is in cdk.json: move it to the file of a stage in infra/settings, and deploy with -c stage=STAGE',
      'loosen is in cdk.context.json: remove it, it is for one deployment: use -c',
    ]);
  });
});
