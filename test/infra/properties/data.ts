import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { Match } from 'aws-cdk-lib/assertions';
import { expect } from 'vitest';
import { toTitleCase } from '../../../infra/constructs/title-case.ts';
import { findTableDefinition, tableIds } from '../../../shared/api/resources.ts';
import { knownLicenses } from '../../../shared/domain/licenses/catalogue.ts';
import { findResource, listResources, type Property } from './property.ts';

const tableType = 'AWS::DynamoDB::GlobalTable';

/** The end of the command in the output: it prints the first token of the list. */
const printFirstToken = (command: string, list: string): string => {
  const [, ...filters] = command.split(' | ');
  return execFileSync('sh', ['-c', filters.join(' | ')], { input: list, encoding: 'utf8' }).trim();
};

export const dataProperties: readonly Property[] = [
  {
    why: 'keeps every table when the stack is deleted, except those of a failed first deployment',
    check: (template) => {
      template.resourceCountIs(tableType, tableIds.length);
      template.allResources(tableType, {
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
    },
  },
  {
    why: 'has point-in-time recovery and deletion protection for every table',
    check: (template) => {
      template.allResourcesProperties(tableType, {
        BillingMode: 'PAY_PER_REQUEST',
        Replicas: [
          Match.objectLike({
            DeletionProtectionEnabled: true,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          }),
        ],
      });
    },
  },
  ...tableIds.map((id): Property => {
    const { expires, streamed } = findTableDefinition(id);
    return {
      why: `${expires ? `lets rows of ${id} expire` : `keeps all rows of ${id}`}, and ${streamed ? `streams its ${streamed === 'NEW_IMAGE' ? 'new images' : 'new and old images'}` : 'streams nothing of it'}`,
      check: (template) => {
        const { Properties } = findResource(template, tableType, `Tables${toTitleCase(id)}`);
        expect(Properties.TimeToLiveSpecification).toEqual(
          expires ? { AttributeName: expires, Enabled: true } : undefined,
        );
        expect(Properties.StreamSpecification).toEqual(
          streamed ? { StreamViewType: streamed } : undefined,
        );
      },
    };
  }),
  {
    why: 'loads the licenses only after a change of SPDX, the policy or the table',
    check: (template) => {
      const catalogue = createHash('sha256').update(JSON.stringify(knownLicenses)).digest('hex');
      const { id } = findResource(template, tableType, 'TablesLicenses');
      template.hasResourceProperties('Custom::LicenseCatalogue', {
        catalogue,
        table: { Ref: id },
        policy: Match.serializedJson(Match.objectLike({ categories: Match.anyValue() })),
      });
    },
  },
  {
    why: 'starts with a random token, which neither the template nor an output shows',
    check: (template) => {
      template.hasResource('AWS::SecretsManager::Secret', {
        DeletionPolicy: 'RetainExceptOnCreate',
        Properties: {
          SecretString: Match.absent(),
          GenerateSecretString: { PasswordLength: 43, ExcludePunctuation: true },
        },
      });
      expect(JSON.stringify(template.toJSON())).not.toContain('resolve:secretsmanager');
    },
  },
  {
    why: 'has an output with a command that prints the first token, which rotation replaces',
    check: (template) => {
      const { id } = findResource(template, 'AWS::SecretsManager::Secret', 'Tokens');
      const output = template.toJSON()['Outputs']['FirstTokenCommand'];
      const [before, secret, after] = output.Value['Fn::Join'][1];
      expect(before).toBe('aws secretsmanager get-secret-value --secret-id ');
      expect(secret).toEqual({ Ref: id });
      expect(after).toMatch(/^ --query SecretString --output text \| /);
      for (const list of ['first', 'rotated:first,ci:second', 'first,second\n']) {
        expect(printFirstToken(after, list)).toBe('first');
      }
    },
  },
  {
    why: 'keeps dead letters for 14 days',
    check: (template) => {
      const dead = listResources(template, 'AWS::SQS::Queue').filter(
        ({ Properties }) => !Properties.RedrivePolicy,
      );
      expect(dead.length).toBeGreaterThan(0);
      for (const { Properties } of dead) expect(Properties.MessageRetentionPeriod).toBe(1_209_600);
    },
  },
  {
    why: 'retries new versions for 12 hours, below the 24 hours of the stream',
    check: (template) => {
      template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
        StartingPosition: 'TRIM_HORIZON',
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        MaximumRecordAgeInSeconds: 43_200,
      });
    },
  },
  {
    why: 'keeps logs for 90 days',
    check: (template) => {
      template.resourceCountIs('AWS::Logs::LogGroup', 3);
      template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 90 });
    },
  },
];
