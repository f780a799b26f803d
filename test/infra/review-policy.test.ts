import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStack } from '@package-registry/local-aws';
import { App } from 'aws-cdk-lib';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { parseSettings } from '../../infra/config.ts';
import { goWithout } from '../../infra/local/synthesis.ts';
import { RegistryStack } from '../../infra/registry-stack.ts';
import { readReviewPolicy } from '../../infra/review-policy.ts';
import { SettingsError } from '../../infra/settings-error.ts';
import { policyRunPartition, reviewPolicyFile, tables } from '../../shared/api/resources.ts';
import { functionOf } from '../support/functions.ts';
import { sharedCode, synthesiseStack } from '../support/stack-template.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'review-policy-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const fileWith = (content: unknown): string => {
  const file = join(directory, 'policy.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};

const rule = (some: object = {}) => ({ name: 'a-rule', when: {}, then: 'hold', ...some });
const policy = (...rules: readonly object[]) => ({ rules });

describe('the policy of reviews', () => {
  it('has no rules by default', () => {
    expect(readReviewPolicy('infra/review-policy.json')).toEqual({ rules: [] });
  });

  it('has a valid example that is not the default', () => {
    const { rules } = readReviewPolicy('infra/review-policy.example.json');

    expect(new Set(rules.map(({ then }) => then))).toEqual(new Set(['approve', 'reject', 'hold']));
  });

  it('accepts the maximum number of rules', () => {
    const rules = Array.from({ length: 100 }, (_, at) => rule({ name: `rule-${at}` }));

    expect(readReviewPolicy(fileWith(policy(...rules))).rules).toHaveLength(100);
    expect(() => readReviewPolicy(fileWith(policy(...rules, rule())))).toThrow(
      /rules must be a list of at most 100 rules/,
    );
  });

  it.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /^reviewPolicy: cannot read .*policy\.json: /],
    ['a list', [], /policy\.json: must be an object with rules$/],
    ['no rules', {}, /policy\.json: rules must be a list of at most 100 rules$/],
    ['another field', { rules: [], version: 1 }, /policy\.json: knows no version$/],
    ['a rule without a name', policy({ when: {}, then: 'hold' }), /: rule 1: name must be short/],
    ['a name of many words', policy(rule({ name: 'A rule' })), /: rule 1 \(A rule\): name must be/],
    ['a name twice', policy(rule(), rule()), /: rule 2 \(a-rule\): name is the name of an earlier/],
    [
      'a rule without conditions',
      policy({ name: 'a-rule', then: 'hold' }),
      /: rule 1 \(a-rule\): when must be an object of conditions$/,
    ],
    [
      'an unknown condition',
      policy(rule({ when: { licence: ['approved'] } })),
      /: rule 1 \(a-rule\): when knows no licence$/,
    ],
    [
      'an unknown action',
      policy(rule({ then: 'accept' })),
      /: rule 1 \(a-rule\): then must be one of approve, reject, hold$/,
    ],
    [
      'labels of scans that no condition asks for',
      policy(rule({ when: { scanned_by: ['security'] } })),
      /: rule 1 \(a-rule\): when\.scanned_by only goes with scan, worst or malware$/,
    ],
    [
      'an empty list',
      policy(rule({ when: { names: [] } })),
      /: rule 1 \(a-rule\): when\.names must be a list of 1 to 100$/,
    ],
    [
      'an unknown status of scans',
      policy(rule(), rule({ name: 'other', when: { scan: ['good'] } })),
      /: rule 2 \(other\): when\.scan\.0 must be one of failed, warning, passed, missing$/,
    ],
    [
      'an age that is none',
      policy(rule({ when: { minimum_age_days: 0.5 } })),
      /: rule 1 \(a-rule\): when\.minimum_age_days must be a whole number from 1 to 3650$/,
    ],
    [
      'a rejection with an expiry date',
      policy(rule({ then: 'reject', expires_in_days: 3 })),
      /: rule 1 \(a-rule\): expires_in_days only goes with approve$/,
    ],
    ['a blank reason', policy(rule({ reason: ' ' })), /: rule 1 \(a-rule\): reason must not be/],
  ])('is rejected with %s', (_, content, message) => {
    const file = fileWith(content);

    expect(() => readReviewPolicy(file)).toThrow(SettingsError);
    expect(() => readReviewPolicy(file)).toThrow(message);
  });
});

/** Returns the consumers of the stream of review states, with their filters. */
const listReaders = (template: Template): string[] =>
  Object.values(template.findResources('AWS::Lambda::EventSourceMapping'))
    .map(({ Properties }) => JSON.stringify(Properties))
    .filter((text) => text.includes('"TablesReviews'));

describe('the stack', () => {
  const withRules = (): string => fileWith(policy(rule()));

  it('adds the second consumer of review states only for a policy with rules', () => {
    const readers = listReaders(synthesiseStack({ reviewPolicy: withRules() }));

    expect(listReaders(synthesiseStack())).toHaveLength(1);
    expect(readers).toHaveLength(2);
    expect(readers.filter((text) => text.includes('applypolicyFunction'))).toHaveLength(1);
  });

  it('sends the worker only review states of versions without a decision, and the steps of runs', () => {
    const template = synthesiseStack({ reviewPolicy: withRules() });

    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionName: { Ref: Match.stringLikeRegexp('^applypolicyFunction') },
      StartingPosition: 'TRIM_HORIZON',
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      FilterCriteria: {
        Filters: [
          {
            Pattern: Match.serializedJson({
              dynamodb: {
                Keys: { k: { S: ['head'] } },
                NewImage: { status: { S: ['pending'] }, revision: { N: ['0'] } },
              },
            }),
          },
          { Pattern: JSON.stringify({ dynamodb: { Keys: { v: { S: [policyRunPartition] } } } }) },
        ],
      },
    });
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'IteratorAge',
      Dimensions: [
        { Name: 'FunctionName', Value: { Ref: Match.stringLikeRegexp('^applypolicy') } },
      ],
    });
  });

  it('sends the worker approvals and their ends if a rule depends on other versions', () => {
    const when = { approved_major: true };
    const template = synthesiseStack({ reviewPolicy: fileWith(policy(rule({ when }))) });

    const head = { k: { S: ['head'] } };
    const toFilter = (before: readonly string[], after: readonly string[]) => ({
      Pattern: JSON.stringify({
        dynamodb: {
          Keys: head,
          OldImage: { status: { S: before } },
          NewImage: { status: { S: after } },
        },
      }),
    });
    const others = ['pending', 'rejected'];
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FilterCriteria: {
        Filters: Match.arrayWith([toFilter(others, ['approved']), toFilter(['approved'], others)]),
      },
    });
  });

  it('has no stream with more than two consumers', () => {
    const template = synthesiseStack({ reviewPolicy: withRules() });

    const streams = Object.values(template.findResources('AWS::Lambda::EventSourceMapping'))
      .map(({ Properties }) => JSON.stringify(Properties['EventSourceArn']))
      .filter((arn) => arn.includes('StreamArn'));
    const counts = [...Map.groupBy(streams, (arn) => arn).values()].map(({ length }) => length);

    expect(Math.max(...counts)).toBeLessThanOrEqual(2);
    expect(Object.keys(tables)).toContain('reviews');
  });

  it('adds the policy to the code of its worker', () => {
    const settings = { reviewPolicy: withRules(), environment: 'development' };
    const app = new App({ context: cdkJson.context });
    const stack = new RegistryStack(app, parseSettings(settings), sharedCode);
    const assembly = app.synth();

    const judge = functionOf(readStack(assembly.directory, { goWithout }), 'apply-policy');
    const text = readFileSync(join(judge.codeDirectory, reviewPolicyFile), 'utf8');

    expect(stack.stackName).toBe('PackageRegistry');
    expect(JSON.parse(text)).toEqual(policy(rule()));
    expect(JSON.stringify(judge.environment)).not.toContain('a-rule');
  });

  it('adds a policy without rules by default', () => {
    const { codeDirectory } = functionOf(
      readStack(inject('assembly'), { goWithout }),
      'apply-policy',
    );

    expect(JSON.parse(readFileSync(join(codeDirectory, reviewPolicyFile), 'utf8'))).toEqual({
      rules: [],
    });
  });

  it('is not synthesised with an invalid policy, which the error names', () => {
    const reviewPolicy = fileWith(policy(rule({ then: 'maybe' })));

    expect(() => synthesiseStack({ reviewPolicy })).toThrow(/rule 1 \(a-rule\): then must be/);
  });
});
