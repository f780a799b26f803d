import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LambdaFunction, StackModel } from '@package-registry/local-aws';
import { reviewPolicyFile } from '../../shared/api/resources.ts';
import type { ReviewPolicy } from '../../shared/api/schemas/policy.ts';
import { functionOf } from './functions.ts';

/** A stack with other rules, in a file beside the worker's code. */
interface DeployedPolicy {
  readonly model: StackModel;
  remove(): void;
}

/** Gives the worker these rules, and lets it consume review states if there are any rules. */
export const deployPolicy = (model: StackModel, policy: ReviewPolicy): DeployedPolicy => {
  const judge = functionOf(model, 'apply-policy');
  const codeDirectory = mkdtempSync(join(tmpdir(), 'review-policy-'));
  cpSync(judge.codeDirectory, codeDirectory, { recursive: true });
  writeFileSync(join(codeDirectory, reviewPolicyFile), JSON.stringify(policy));
  const indexer = functionOf(model, 'index-versions');
  const source = Object.values(model.eventSources).find(
    ({ functionId }) => functionId === indexer.id,
  );
  if (!source) throw new Error('The template has no reader of heads');
  const id = 'PolicyReader';
  const listGrants = ({ roleId }: LambdaFunction) => model.roles[roleId] ?? [];
  const streamGrants = listGrants(indexer).filter(({ actions }) =>
    actions.includes('dynamodb:GetRecords'),
  );
  return {
    model: {
      ...model,
      functions: { ...model.functions, [judge.id]: { ...judge, codeDirectory } },
      roles: { ...model.roles, [judge.roleId]: [...listGrants(judge), ...streamGrants] },
      eventSources: { ...model.eventSources, [id]: { ...source, id, functionId: judge.id } },
    },
    remove: () => rmSync(codeDirectory, { recursive: true }),
  };
};
