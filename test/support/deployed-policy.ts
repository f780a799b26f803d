import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LambdaFunction, StackModel } from '@package-registry/local-aws';
import { reviewPolicyFile } from '../../shared/api/resources.ts';
import type { ReviewPolicy } from '../../shared/api/schemas/policy.ts';
import { functionOf } from './functions.ts';

/** A stack with other rules, in a file beside the code of the functions that read them. */
interface DeployedPolicy {
  readonly model: StackModel;
  remove(): void;
}

const readers = [
  ...['apply-policy', 'collect-facts', 'run-due-work', 'run-policy', 'show-policy'],
  'submit-requested',
];

/** Gives functions these rules, and lets the worker consume review states if there are any rules. */
export const deployPolicy = (model: StackModel, policy: ReviewPolicy): DeployedPolicy => {
  const folder = mkdtempSync(join(tmpdir(), 'review-policy-'));
  const withPolicy = readers.map((id): readonly [string, LambdaFunction] => {
    const reader = functionOf(model, id);
    const codeDirectory = join(folder, id);
    cpSync(reader.codeDirectory, codeDirectory, { recursive: true });
    writeFileSync(join(codeDirectory, reviewPolicyFile), JSON.stringify(policy));
    return [reader.id, { ...reader, codeDirectory }];
  });
  const judge = functionOf(model, 'apply-policy');
  const indexer = functionOf(model, 'index-versions');
  const source = Object.values(model.eventSources).find(
    ({ functionId }) => functionId === indexer.id,
  );
  if (!source) throw new Error('The template has no consumer of review states');
  const id = 'PolicyReader';
  const listGrants = ({ roleId }: LambdaFunction) => model.roles[roleId] ?? [];
  const streamGrants = listGrants(indexer).filter(({ actions }) =>
    actions.includes('dynamodb:GetRecords'),
  );
  // Without filters, also the steps of runs pass.
  const reader = { ...source, id, functionId: judge.id, filters: [] };
  return {
    model: {
      ...model,
      functions: { ...model.functions, ...Object.fromEntries(withPolicy) },
      roles: { ...model.roles, [judge.roleId]: [...listGrants(judge), ...streamGrants] },
      eventSources: { ...model.eventSources, [id]: reader },
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
};
